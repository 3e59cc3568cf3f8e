import CloudSQL

/// Buffers added and removed words of records for one flush: the index writes its pending words at every savepoint, which
/// costs ten times as much as adding them.
struct WordBuffer {
    private struct Change {
        /// The text in the index now.
        let before: String?
        var after: String?
    }

    /// The most records to buffer.
    static let mostRecords = 2_000
    /// The most UTF-8 to buffer.
    static let mostBytes = 4 << 20
    private var changes: [Int64: Change] = [:]
    /// Bytes added since the last flush.
    private var bytes = 0

    var isFull: Bool { changes.count >= Self.mostRecords || bytes >= Self.mostBytes }
    var isEmpty: Bool { changes.isEmpty }

    mutating func add(_ tokens: String, to record: Int64) {
        bytes += tokens.utf8.count
        changes[record, default: Change(before: nil)].after = tokens
    }

    mutating func remove(_ tokens: String, from record: Int64) {
        bytes += tokens.utf8.count
        changes[record, default: Change(before: tokens)].after = nil
    }

    mutating func flush(_ db: SQLConnection) throws {
        let words = db.dialect.words
        // The index takes ascending rows without writing its pending words in between.
        for (record, change) in changes.sorted(by: { $0.key < $1.key }) where change.before != change.after {
            if let before = change.before { try words.remove(before, of: record, db) }
            if let after = change.after { try words.insert(after, of: record, db) }
        }
        changes.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
