import CloudModel
import CloudSQL

/// Records read ahead, with few statements, for the operations of a request or of the following requests in its group.
///
/// Each record is returned once. An immediate write forgets all of them, since it may concern any record.
final class PrefetchedRecords: TransactionPart {
    /// The largest body to prefetch, in bytes.
    private static let mostBody = 16 << 10
    private static let statements = NamedRecords(
        columns: """
            r.id, r.record_type, r.tag, r.creator, r.beside, length(r.body), r.share, r.text_set,
            CASE WHEN length(r.body) <= \(mostBody) THEN r.body END
            """)

    private struct Found {
        /// Nil for missing names.
        var records: [DeferredKey: StoredRecord?] = [:]
        var writes = 0
    }

    /// Records of the current request.
    private var found = Found()
    /// Records of the following requests, as of a moment between two requests.
    private var ahead = Found()

    /// Reads the records with these names for ``find(_:zone:_:)``, replacing earlier ones.
    func fetch(_ names: [String], zone: Int64, _ db: SQLConnection) throws {
        found = Found(writes: db.immediateWrites)
        try Self.read(names, zone: zone, into: &found, db)
    }

    /// Reads the records of the following requests in the group, replacing earlier ones. Call between two requests.
    func fetchAhead(_ records: [NamedRecord], _ transaction: WriteTransaction) throws {
        let db = transaction.db
        var names: [Int64: [String]] = [:]
        for record in records {
            if let zone = try transaction.zones.find(record.zone) {
                names[zone.id, default: []].append(record.name.text)
            }
        }
        ahead = Found(writes: db.immediateWrites)
        for (zone, names) in names { try Self.read(names, zone: zone, into: &ahead, db) }
    }

    private static func read(_ names: [String], zone: Int64, into found: inout Found, _ db: SQLConnection) throws {
        let wanted = names.filter { name in
            let key = DeferredKey(zone, name)
            // Skip names with deferred writes, which are not in the database yet.
            guard !db.isDeferred(key), found.records[key] == nil else { return false }
            found.records[key] = .some(nil)
            return true
        }
        try statements.each(wanted, zone: zone, db) {
            found.records[DeferredKey(zone, $0.text(9))] = StoredRecord($0, body: 8)
        }
    }

    /// A live record or tombstone; nil without one.
    func find(_ name: String, zone: Int64, _ db: SQLConnection) throws -> StoredRecord? {
        let key = DeferredKey(zone, name)
        let writes = db.immediateWrites
        if writes == found.writes, let known = found.records.removeValue(forKey: key) { return known }
        if writes == ahead.writes, let known = ahead.records.removeValue(forKey: key) { return known }
        return try Self.statements.first(name, zone: zone, db) { StoredRecord($0, body: 8) }
    }

    /// The live records with these names, in the same order. No deferred write may concern them.
    func find(_ names: some Collection<String>, zone: Int64, _ db: SQLConnection) throws -> [NamedStoredRecord] {
        var found = Found()
        try Self.read(Array(names), zone: zone, into: &found, db)
        return names.compactMap { name in
            let record = found.records[DeferredKey(zone, name)] ?? nil
            return record.flatMap { $0.type == nil ? nil : NamedStoredRecord(name: name, record: $0) }
        }
    }

    /// Call with each record whose write is deferred.
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
    var prefetched: PrefetchedRecords { part() }
}
