import CloudModel
import CloudSQL

/// Records that the operations of a request, or of the requests of a group, will look at, read with few statements before
/// the first of them.
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

    private struct Found {
        /// Nil for names that are not there.
        var records: [DeferredKey: StoredRecord?] = [:]
        var writes = 0
    }

    /// Of the request that runs.
    private var found = Found()
    /// Of requests that follow, as the database was between two of them.
    private var ahead = Found()

    /// Reads the records of these names, in place of those read before.
    func fetch(_ names: [String], zone: Int64, _ db: SQLConnection) throws {
        found = Found(writes: db.immediateWrites)
        try Self.read(names, zone: zone, into: &found, db)
    }

    /// Reads the records that requests to come are about, in place of those read before for such.
    func fetchAhead(_ names: [Int64: [String]], _ db: SQLConnection) throws {
        ahead = Found(writes: db.immediateWrites)
        for (zone, names) in names { try Self.read(names, zone: zone, into: &ahead, db) }
    }

    private static func read(_ names: [String], zone: Int64, into found: inout Found, _ db: SQLConnection) throws {
        let wanted = names.filter { name in
            let key = DeferredKey(zone, name)
            // What waits to be written is not there to be read.
            guard !db.isDeferred(key), found.records[key] == nil else { return false }
            found.records[key] = .some(nil)
            return true
        }
        try statements.each(wanted, zone: zone, db) {
            found.records[DeferredKey(zone, $0.text(9))] = StoredRecord($0, body: 8)
        }
    }

    /// A live record or tombstone; nil when there is none.
    func find(_ name: String, zone: Int64, _ db: SQLConnection) throws -> StoredRecord? {
        let key = DeferredKey(zone, name)
        let writes = db.immediateWrites
        if writes == found.writes, let known = found.records.removeValue(forKey: key) { return known }
        if writes == ahead.writes, let known = ahead.records.removeValue(forKey: key) { return known }
        return try Self.statements.first(name, zone: zone, db) { StoredRecord($0, body: 8) }
    }

    /// The live records of these names, in their order. Nothing that is deferred may concern them.
    func find(_ names: some Collection<String>, zone: Int64, _ db: SQLConnection) throws -> [NamedStoredRecord] {
        var found = Found()
        try Self.read(Array(names), zone: zone, into: &found, db)
        return names.compactMap { name in
            let record = found.records[DeferredKey(zone, name)] ?? nil
            return record.flatMap { $0.type == nil ? nil : NamedStoredRecord(name: name, record: $0) }
        }
    }

    func forget(_ key: DeferredKey) {
        found.records[key] = nil
        ahead.records[key] = nil
    }

    func begin() {}
    func undo() { found = Found() }
    func keep() {}
    func committed() { (found, ahead) = (Found(), Found()) }
    func lost(_ db: SQLConnection) { committed() }
}

/// A stored record with its name.
struct NamedStoredRecord {
    let name: String
    let record: StoredRecord
}

extension WriteTransaction {
    private var prefetched: PrefetchedRecords { part() }

    /// Reads the records of these names ahead of ``findRecord(_:zone:)``.
    func prefetchRecords(_ names: [String], zone: Int64) throws { try prefetched.fetch(names, zone: zone, db) }

    /// The same for requests that follow in the group. To be called between two of them.
    func prefetchAhead(_ records: [NamedRecord]) throws {
        var names: [Int64: [String]] = [:]
        for record in records {
            if let zone = try zone(record.zone) { names[zone.id, default: []].append(record.name.text) }
        }
        try prefetched.fetchAhead(names, db)
    }

    /// A live record or tombstone; nil when there is none.
    func findRecord(_ name: String, zone: Int64) throws -> StoredRecord? {
        try prefetched.find(name, zone: zone, db)
    }

    /// The live records of these names, in their order. Nothing that is deferred may concern them.
    func findRecords(_ names: some Collection<String>, zone: Int64) throws -> [NamedStoredRecord] {
        try prefetched.find(names, zone: zone, db)
    }

    /// To be called with each record whose writing is deferred.
    func forgetPrefetched(_ key: DeferredKey) { prefetched.forget(key) }
}
