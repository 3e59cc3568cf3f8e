/// The sender's side: the trip, then its photos, three at a time.
struct PublishTrip {
    private static let uploadsInFlight = 3

    let photos: [Photo]
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Anna publishes her trip to \(Trip.place).")
        let trip = try await stage.ask(
            client, "public/records/modify", ["operations": [Trip.vacation(photos: photos.count)]],
            show: ["locationName", "sharedBy", "photoCount"])
        try stage.check("it is there", trip.records.map(\.errorCode), is: [nil])
        try await client.forgetSettings(of: Trip.id)

        stage.want("Her \(photos.count) photos follow, \(Self.uploadsInFlight) at a time.")
        stage.showRequest(
            client.path("public/assets/upload"),
            ["tokens": [["recordType": "SharedPhoto", "fieldName": "photoAsset"]]])
        try stage.check("every photo was saved", try await upload(), is: photos.count)

        stage.want("She taps “try again” on the first one, though nothing was wrong with it.")
        let again = try await Self.publish(0, photos[0], client)
        try stage.check("no harm done", again.errorCode, is: nil)
    }

    private func upload() async throws -> Int {
        var progress = ProgressBar(of: photos.count, "photos", on: stage.console)
        var waiting = photos.enumerated().makeIterator()
        var saved = 0
        try await withThrowingTaskGroup(of: CloudRecord.self) { [client] group in
            func sendNext() {
                guard let (index, photo) = waiting.next() else { return }
                group.addTask { try await Self.publish(index, photo, client) }
            }
            for _ in 0..<Self.uploadsInFlight { sendNext() }
            while let record = try await group.next() {
                saved += record.errorCode == nil ? 1 : 0
                progress.advance(by: 1)
                sendNext()
            }
        }
        return saved
    }

    private static func publish(_ index: Int, _ photo: Photo, _ client: CloudClient) async throws -> CloudRecord {
        let receipt = try await client.upload(
            photo.bytes, type: "SharedPhoto", field: "photoAsset", to: "public")
        let answer = try await client.post("public/records/modify", ["operations": [Trip.photo(index, receipt)]])
        guard let record = answer.records.first else {
            throw Mismatch(what: "saving \(photo.name)", expected: "a record", got: answer.summary)
        }
        return record
    }
}
