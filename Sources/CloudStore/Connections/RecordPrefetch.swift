import CloudModel
import CloudSQL

/// A record, as a request names it.
package struct NamedRecord: Hashable, Sendable {
    let zone: ZoneID
    let name: ExactName
}

/// The record of a small read. One statement reads the records of all reads in a shared snapshot.
package struct RecordPrefetch: Sendable {
    let record: NamedRecord
    /// Reads the records into the connection's memory of rows.
    let read: @Sendable (Set<NamedRecord>, SQLConnection) throws -> Void

    /// Reads the records of `prefetches`. A single record is left to its own read.
    static func run(_ prefetches: [RecordPrefetch], _ db: SQLConnection) throws {
        guard prefetches.count > 1, let first = prefetches.first else { return }
        try first.read(Set(prefetches.map(\.record)), db)
    }
}
