/// Prepared statements, found by the memory address of their SQL: string literals have fixed addresses, so no text is
/// hashed.
struct RecentStatements {
    private static let places = 256

    private struct Entry {
        /// Kept alive, so that its address is not reused.
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
            // A short string is stored inline, without an address.
            let key = text.count < 16 ? UInt(text.first ?? 0) : UInt(bitPattern: text.baseAddress) >> 4
            return Int(key % UInt(places))
        }
        return place ?? 0
    }
}
