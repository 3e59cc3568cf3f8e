import CloudModel
import CloudSQL

/// Records that the operations of a request will look at, read with few statements before the first of them.
///
/// Each is given once. All are forgotten as soon as a statement writes that is not deferred, since it may be about any.
final class PrefetchedRecords: TransactionPart {
    /// Bodies up to so many bytes are read along.
    private static let mostBody = 16 << 10
    /// Names in one statement. Of few sizes, so that few statements are prepared.
    private static let sizes = [64, 16, 4]

    /// Nil for names that are not there.
    private var found: [DeferredKey: StoredRecord?] = [:]
    private var writes = 0

    private static let columns = """
        r.id, r.record_type, r.tag, r.creator, r.links, length(r.body), r.share, r.text_set,
        CASE WHEN length(r.body) <= \(mostBody) THEN r.body END
        """
    private static let one = "SELECT \(columns) FROM records r WHERE r.zone = ? AND r.name = ?"
    private static let many = Dictionary(
        uniqueKeysWithValues: sizes.map { size in
            let names = Array(repeating: "(?)", count: size).joined(separator: ", ")
            return (
                size,
                """
                WITH wanted (name) AS (VALUES \(names))
                SELECT \(columns), r.name FROM wanted CROSS JOIN records r ON r.name = wanted.name AND r.zone = ?
                """
            )
        })

    /// Reads the records of these names, in place of those read before.
    func fetch(_ names: [String], zone: Int64, _ db: SQLConnection) throws {
        found.removeAll(keepingCapacity: true)
        writes = db.immediateWrites
        let wanted = names.filter { name in
            let key = DeferredKey(zone, name)
            // What waits to be written is not there to be read.
            guard !db.isDeferred(key), found[key] == nil else { return false }
            found[key] = .some(nil)
            return true
        }
        var rest = wanted[...]
        while !rest.isEmpty {
            let size = Self.sizes.last { $0 >= rest.count } ?? Self.sizes[0]
            try fetch(rest.prefix(size), size, zone, db)
            rest = rest.dropFirst(size)
        }
    }

    private func fetch(_ names: ArraySlice<String>, _ size: Int, _ zone: Int64, _ db: SQLConnection) throws {
        guard let sql = Self.many[size] else { return }
        // NULL is nobody's name.
        let values = names.map(SQLValue.text) + Array(repeating: .null, count: size - names.count) + [.integer(zone)]
        try db.eachBesideDeferred(sql, values) { row in
            found[DeferredKey(zone, row.text(9))] = StoredRecord(row, body: 8)
            return true
        }
    }

    /// A live record or tombstone; nil when there is none.
    func find(_ name: String, zone: Int64, _ db: SQLConnection) throws -> StoredRecord? {
        let key = DeferredKey(zone, name)
        if writes == db.immediateWrites, let known = found.removeValue(forKey: key) { return known }
        return try db.first(about: key, Self.one, .integer(zone), .text(name)) { StoredRecord($0, body: 8) }
    }

    func forget(_ key: DeferredKey) { found[key] = nil }

    func begin() {}
    func undo() { found.removeAll() }
    func keep() {}
    func committed() { found.removeAll() }
    func lost(_ db: SQLConnection) { found.removeAll() }
}

extension WriteTransaction {
    private var prefetched: PrefetchedRecords { part() }

    /// Reads the records of these names ahead of ``findRecord(_:zone:)``.
    func prefetchRecords(_ names: [String], zone: Int64) throws { try prefetched.fetch(names, zone: zone, db) }

    /// A live record or tombstone; nil when there is none.
    func findRecord(_ name: String, zone: Int64) throws -> StoredRecord? {
        try prefetched.find(name, zone: zone, db)
    }

    /// To be called with each record whose writing is deferred.
    func forgetPrefetched(_ key: DeferredKey) { prefetched.forget(key) }
}
