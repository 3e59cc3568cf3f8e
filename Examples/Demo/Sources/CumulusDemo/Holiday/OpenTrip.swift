import CumulusKit

/// The receiver's side in the app: no account, only the link.
struct OpenTrip {
    private static let previewed = 3

    let photos: [Photo]
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        stage.want("Somebody without an account opens the trip in the app.")
        let trip = try await database.record(for: CKRecord.ID(recordName: Trip.id))
        try stage.check("where it was", trip.string("locationName"), is: Trip.place)

        stage.want("The first \(Self.previewed) photos, while they make up their mind …")
        let first = try await find(limit: Self.previewed)
        try stage.check(
            "the first of Anna's order", first.map { $0["orderIndex"] }, is: Array(0..<Self.previewed))

        stage.want("… and then all of them.")
        let album = try await find(limit: 200)
        try stage.check("each in its place", album.map { $0["orderIndex"] }, is: Array(photos.indices))

        stage.want("The photo that arrives is the photo that was sent.")
        for (record, photo) in zip(album, photos) {
            let asset: CKAsset? = record["photoAsset"]
            let bytes = try await Wire.quietly { try await asset?.data() }
            try stage.check("\(photo.name) with its \(photo.bytes.count.grouped) bytes", bytes == photo.bytes, is: true)
        }
    }

    private func find(limit: Int) async throws -> [CKRecord] {
        try await database.find(
            "SharedPhoto", .field("shareId", .equal, Trip.id), by: [.init(key: "orderIndex")], limit: limit
        ).records
    }
}
