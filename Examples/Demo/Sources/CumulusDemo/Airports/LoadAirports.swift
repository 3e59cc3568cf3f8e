/// Crowd-sourcing: every airport of the file goes into the public database, in batches, several at a time.
struct LoadAirports {
    private static let batchSize = 200
    private static let batchesInFlight = 6

    let airports: [Airport]
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Publish all \(airports.count.grouped) airports for everybody, in batches of \(Self.batchSize).")
        let batches = stride(from: 0, to: airports.count, by: Self.batchSize).map { start in
            let end = min(start + Self.batchSize, airports.count)
            return ["operations": .array(airports[start..<end].map(\.saving))] as JSON
        }
        stage.showRequest(client.path("public/records/modify"), batches[0])
        let saved = try await save(batches)
        try stage.check("every airport was saved", saved, is: airports.count)
    }

    private func save(_ batches: [JSON]) async throws -> Int {
        var progress = ProgressBar(of: airports.count, "airports", on: stage.console)
        var waiting = batches.makeIterator()
        var saved = 0
        try await withThrowingTaskGroup(of: Int.self) { [client] group in
            func sendNext() {
                guard let batch = waiting.next() else { return }
                group.addTask { try await Self.save(batch, with: client) }
            }
            for _ in 0..<Self.batchesInFlight { sendNext() }
            while let count = try await group.next() {
                saved += count
                progress.advance(by: count)
                sendNext()
            }
        }
        return saved
    }

    private static func save(_ batch: JSON, with client: CloudClient) async throws -> Int {
        let answer = try await client.post("public/records/modify", batch)
        let refused = answer.records.first { $0.errorCode != nil }
        guard answer.status == 200, refused == nil else {
            throw Mismatch(
                what: "saving a batch of airports", expected: "200 without item errors",
                got: refused?.json.text ?? answer.summary)
        }
        return answer.records.count
    }
}
