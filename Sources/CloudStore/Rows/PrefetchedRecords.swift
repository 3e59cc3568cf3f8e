import CloudModel
import CloudSQL

/// Records that the operations of a request will look at, read with few statements before the first of them.
///
/// Each is given once. All are forgotten as soon as a statement writes that is not deferred, since it may be about any.
final class PrefetchedRecords: TransactionPart {
    /// Bodies up to so many bytes are read along.
    private static let mostBody = 16 << 10
    private static let statements = NamedRecords(
        columns: """
            r.id, r.record_type, r.tag, r.creator, r.beside, length(r.body), r.share, r.text_set,
            CASE WHEN length(r.body) <= \(mostBody) THEN r.body END
            """)

    /// Nil for names that are not there.
    private var found: [DeferredKey: StoredRecord?] = [:]
    private var writes = 0

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
        try Self.statements.each(wanted, zone: zone, db) {
            found[DeferredKey(zone, $0.text(9))] = StoredRecord($0, body: 8)
        }
    }

    /// A live record or tombstone; nil when there is none.
    func find(_ name: String, zone: Int64, _ db: SQLConnection) throws -> StoredRecord? {
        let key = DeferredKey(zone, name)
        if writes == db.immediateWrites, let known = found.removeValue(forKey: key) { return known }
        return try Self.statements.first(name, zone: zone, db) { StoredRecord($0, body: 8) }
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
