import CloudModel
import CloudSQL

/// A record that a request is about, as the request names it.
struct NamedRecord: Hashable, Sendable {
    let zone: ZoneID
    let name: ExactName
}

/// The record that a small read is going to look at. Those of reads that share a snapshot are read by one statement.
struct RecordPrefetch: Sendable {
    let record: NamedRecord
    /// Reads the records, and has the connection remember what it found of each.
    let read: @Sendable (Set<NamedRecord>, SQLConnection) throws -> Void

    /// Reads what `prefetches` name. A single one is left to its own read.
    static func run(_ prefetches: [RecordPrefetch], _ db: SQLConnection) throws {
        guard prefetches.count > 1, let first = prefetches.first else { return }
        try first.read(Set(prefetches.map(\.record)), db)
    }
}
