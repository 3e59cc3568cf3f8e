/// Prepared statements by where their texts are in memory: that of a text in the source is always the same, and is found
/// without a look at the text.
struct RecentStatements {
    private static let places = 256

    private struct Entry {
        /// Kept, so that no other text comes to be where it is.
        let sql: String
        let statement: OpaquePointer
    }

    private var entries: [Entry?] = []

    func find(_ sql: String) -> OpaquePointer? {
        guard !entries.isEmpty, let entry = entries[Self.place(sql)], entry.sql == sql else { return nil }
        return entry.statement
    }

    mutating func note(_ sql: String, _ statement: OpaquePointer) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.places) }
        entries[Self.place(sql)] = Entry(sql: sql, statement: statement)
    }

    mutating func removeAll() { entries = [] }

    private static func place(_ sql: String) -> Int {
        let place = sql.utf8.withContiguousStorageIfAvailable { text in
            // A short text is in the variable itself.
            let key = text.count < 16 ? UInt(text.first ?? 0) : UInt(bitPattern: text.baseAddress) >> 4
            return Int(key % UInt(places))
        }
        return place ?? 0
    }
}
