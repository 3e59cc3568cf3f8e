import ArgumentParser
import Traffic

/// Fills a database with numbered records, 200 to a request.
struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes numbered records in batches of 200.")
    private static let batchSize = 200

    @OptionGroup var target: Target

    @Option(help: "How many records.")
    var records: Int

    @Option(help: "The number of the first.")
    var from = 0

    @Option(help: "A custom zone of the private database to fill; without it, the public database.")
    var zone: String?

    @Option(help: "The record all of them hang under.")
    var parent: String?

    @Option(help: "Places with these fields, in place of items: number, which all have, code, name, tags, location.")
    var places: [PlaceRecord.Field] = []

    @Option(help: "Requests in flight.")
    var inFlight = 4

    func run() async throws {
        let caller = HTTPCaller(connections: inFlight)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        // A zone that is there already stays as it is.
        if let zone { _ = try await session.ask("private/zones/modify", Bodies.createZone(zone), as: ZonesAnswer.self) }
        let start = ContinuousClock.now
        let batches = stride(from: from, to: from + records, by: Self.batchSize)
        let (zone, parent, last, place) = (zone, parent, from + records, PlaceRecord(fields: Set(places)))
        let isPlain = places.isEmpty
        try await forEach(batches, inFlight: inFlight) { first in
            let operations = (first..<min(first + Self.batchSize, last)).map {
                isPlain ? BenchRecord.creating($0, parent: parent) : place.creating($0)
            }
            try await Self.write(operations, zone: zone, session)
        } each: { _ in
        }
        try await caller.shutdown()
        let seconds = start.duration(to: .now) / .seconds(1)
        print("records \(records) seconds \(seconds) per-second \(Int(Double(records) / seconds))")
    }

    private static func write(_ operations: [String], zone: String?, _ session: CloudSession) async throws {
        let database = zone == nil ? "public" : "private"
        try await session.modify(database, Bodies.modify(operations, zone: zone))
    }
}
