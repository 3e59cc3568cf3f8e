import Foundation

/// The receiver's side: no account, no app, only the link.
struct OpenTrip {
    let photos: [Photo]
    let client: CloudClient
    let stage: Stage

    func play() async throws -> Link {
        stage.want("Somebody without an account opens the trip in the app.")
        let trip = try await stage.ask(
            client, "public/records/lookup", ["records": [["recordName": .string(Trip.id)]]],
            show: ["locationName", "sharedBy", "photoCount"])
        try stage.check("where it was", trip.records.first?.string("locationName"), is: Trip.place)

        stage.want("… and sees the photos in Anna's order.")
        let found = try await stage.ask(
            client, "public/records/query",
            [
                "query": [
                    "recordType": "SharedPhoto", "filterBy": [.filter("shareId", "EQUALS", .field(Trip.id))],
                    "sortBy": [.sort("orderIndex")],
                ]
            ], show: ["orderIndex"])
        let album = found.records.prefix(photos.count)
        try stage.check(
            "each in its place", album.compactMap { $0.number("orderIndex") }, is: photos.indices.map(Double.init))

        stage.want("The photo that arrives is the photo that was sent.")
        for (record, photo) in zip(album, photos) {
            let url = record["photoAsset"]?["downloadURL"]?.string ?? ""
            let (status, bytes) = try await client.fetch(url)
            try stage.check(
                "\(photo.name): \(photo.bytes.count.grouped) bytes", status == 200 && bytes == photo.bytes, is: true)
        }
        return try await openPage()
    }

    private func openPage() async throws -> Link {
        let link = Link(
            url: "\(client.origin)/share/\(Trip.id)", what: "the trip, for anybody: a grid, full screen, one download")
        stage.want("The same link in a browser, with no app at all.")
        stage.console.line("GET /share/\(Trip.id)", .request, indent: 5)
        let (status, page) = try await client.fetch(link.url, accept: "text/html")
        try stage.check("a page answers", status, is: 200)
        try stage.check("it says where", String(decoding: page, as: UTF8.self).contains(Trip.place), is: true)
        return link
    }
}
