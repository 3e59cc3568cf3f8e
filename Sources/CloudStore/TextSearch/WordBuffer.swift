import CloudSQL

/// Words that records get and lose, kept until they are written in one go: the index closes its books at every
/// savepoint, which costs ten times what the words do.
struct WordBuffer {
    private struct Change {
        /// The text in the index now.
        let before: String?
        var after: String?
    }

    /// More records than this are not kept waiting.
    static let mostRecords = 2_000
    /// Nor more UTF-8 than this.
    static let mostBytes = 4 << 20
    private var changes: [Int64: Change] = [:]
    /// Of all that came since the last flush.
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
        // The index takes ascending rows without closing its books.
        for (record, change) in changes.sorted(by: { $0.key < $1.key }) where change.before != change.after {
            if let before = change.before { try words.remove(before, of: record, db) }
            if let after = change.after { try words.insert(after, of: record, db) }
        }
        changes.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
