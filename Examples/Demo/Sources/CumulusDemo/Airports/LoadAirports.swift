import CumulusKit

/// Crowd-sourcing: every airport of the file goes into the public database, in batches, several at a time.
struct LoadAirports {
    private static let batchSize = 200
    private static let batchesInFlight = 6

    let airports: [Airport]
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        stage.want("Publish all \(airports.count.grouped) airports for everybody, in batches of \(Self.batchSize).")
        let batches = stride(from: 0, to: airports.count, by: Self.batchSize).map {
            Array(airports[$0..<min($0 + Self.batchSize, airports.count)])
        }
        let saved = try await stage.each(
            of: batches, atOnce: Self.batchesInFlight, total: airports.count, "airports"
        ) { [database] batch in
            // Written whatever was there before, so that the play can be repeated.
            try await database.write(batch.map(\.record), .allKeys)
        }
        try stage.check("every airport was saved", saved, is: airports.count)
    }
}
