/// The receiver's side in the app: no account, only the link.
struct OpenTrip {
    private static let previewed = 3

    let photos: [Photo]
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Somebody without an account opens the trip in the app.")
        let trip = try await stage.ask(
            client, "public/records/lookup", ["records": [["recordName": .string(Trip.id)]]],
            show: ["locationName", "sharedBy", "photoCount"])
        try stage.check("where it was", trip.records.first?.string("locationName"), is: Trip.place)

        stage.want("The first \(Self.previewed) photos, while they make up their mind …")
        let first = try await find(limit: Self.previewed)
        try stage.check(
            "the first of Anna's order", first.compactMap { $0.number("orderIndex") },
            is: photos.indices.prefix(Self.previewed).map(Double.init))

        stage.want("… and then all of them.")
        let album = try await find(limit: 200)
        try stage.check(
            "each in its place", album.compactMap { $0.number("orderIndex") }, is: photos.indices.map(Double.init))
        try await compare(album)
    }

    private func find(limit: Int) async throws -> [CloudRecord] {
        try await stage.ask(
            client, "public/records/query",
            [
                "query": [
                    "recordType": "SharedPhoto", "filterBy": [.filter("shareId", "EQUALS", .field(Trip.id))],
                    "sortBy": [.sort("orderIndex")],
                ],
                "resultsLimit": .number(Double(limit)),
            ], show: ["orderIndex"]
        ).records
    }

    private func compare(_ album: [CloudRecord]) async throws {
        stage.want("The photo that arrives is the photo that was sent.")
        for (record, photo) in zip(album, photos) {
            let (status, bytes) = try await client.fetch(record["photoAsset"]?["downloadURL"]?.string ?? "")
            try stage.check("an answer for \(photo.name)", status, is: 200)
            try stage.check("its \(photo.bytes.count.grouped) bytes", bytes == photo.bytes, is: true)
        }
    }
}
