import Synchronization

/// Indexes that would have led a query, had anybody asked for it before: its first use makes them.
struct MissingIndexes: Equatable, Sendable {
    let type: Int64
    /// Columns of the values table.
    var columns: Set<String> = []
    /// Fields, by their ids, whose words are looked for.
    var words: Set<Int64> = []

    var isEmpty: Bool { columns.isEmpty && words.isEmpty }
}

/// Indexes that a query was missing, passed from the read to the caller that waits for it.
final class MissingNote: Sendable {
    private let noted = Mutex<MissingIndexes?>(nil)

    var missing: MissingIndexes? { noted.withLock { $0 } }

    func set(_ missing: MissingIndexes) { noted.withLock { $0 = missing } }
}
