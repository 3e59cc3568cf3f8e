import NIOHTTP1

/// The receiver's side in a browser: no account and no app either.
struct BrowseTrip {
    let photos: [Photo]
    let client: CloudClient
    let stage: Stage

    func play() async throws -> Link {
        let link = Link(
            url: "\(client.origin)/share/\(Trip.id)", what: "the trip, for anybody: a grid, full screen, one download")
        stage.want("Somebody who has not even the app opens the link in a browser.")
        let page = try await stage.open(client, link)
        try stage.check("there is a page", page.status, is: 200)
        try stage.check("it says where", page.html.contains(Trip.place), is: true)
        try stage.check("it offers the app", page.html.contains("vacationphotos://share/\(Trip.id)"), is: true)
        for tile in page.tiles {
            let (status, picture) = try await client.fetch(client.origin + tile)
            guard status == 200, picture.starts(with: [0xFF, 0xD8]) else {
                throw Mismatch(what: tile, expected: "200 with a JPEG", got: "\(status)")
            }
        }
        try stage.check("every photo has its tile, and every tile its picture", page.tiles.count, is: photos.count)
        try await save(page)
        return link
    }

    private func save(_ page: Page) async throws {
        stage.want("They save the photos one by one …")
        let files = try await client.files(of: page)
        try stage.check("byte for byte what Anna sent", files == photos.map(\.bytes), is: true)

        stage.want("… and all of them in one download.")
        stage.showRequest("\(page.link.path)/zip", nil, method: .GET)
        let entries = try await client.zip(of: page)
        for entry in entries { stage.console.line("\(entry.name), \(entry.bytes.count.grouped) bytes", indent: 7) }
        try stage.check("the same in a zip", entries.map(\.bytes) == photos.map(\.bytes), is: true)
    }
}
