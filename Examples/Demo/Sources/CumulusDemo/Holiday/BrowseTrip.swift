/// The receiver's side in a browser: no account and no app either.
struct BrowseTrip {
    let photos: [Photo]
    let stage: Stage

    func play() async throws -> Link {
        let server = stage.server
        let link = try Link(
            "\(server.origin)/share/\(Trip.id)", "the trip, for anybody: a grid, full screen, one download")
        stage.want("Somebody who has not even the app opens the link in a browser.")
        let page = try await server.open(link)
        try stage.check("there is a page", page.status, is: 200)
        try stage.check("it says where", page.html.contains(Trip.place), is: true)
        try stage.check("it offers the app", page.html.contains("vacationphotos://share/\(Trip.id)"), is: true)
        for tile in page.tiles {
            let picture = try await server.file(tile)
            guard picture.starts(with: [0xFF, 0xD8]) else {
                throw Mismatch(what: tile, expected: "a JPEG", got: "\(picture.count) other bytes")
            }
        }
        try stage.check("every photo has its tile, and every tile its picture", page.tiles.count, is: photos.count)

        stage.want("They save the photos one by one …")
        try stage.check(
            "byte for byte what Anna sent", try await server.files(of: page) == photos.map(\.bytes), is: true)

        stage.want("… and all of them in one download.")
        let entries = try await server.zip(of: page)
        for entry in entries { stage.console.line("\(entry.name), \(entry.bytes.count.grouped) bytes", indent: 7) }
        try stage.check("the same in a zip", entries.map(\.bytes) == photos.map(\.bytes), is: true)
        return link
    }
}
