import CloudEngine
package import CloudModel
import CloudSQL

/// A cache of the zones in requests, and the new positions of changed zones. Cached zones stay valid until another server
/// writes.
final class ZonePart: TransactionPart {
    private var known = BoundedCache<ZoneID, ZoneRow>(capacity: 10_000)
    /// Zones cached since the start of each open savepoint.
    private var inDoubt: [[ZoneID]] = []
    private var touched = Undoable<[Int64: Int64]>([:])

    /// The live zone with this name and owner.
    func find(_ id: ZoneID, _ db: SQLConnection) throws -> ZoneRow? {
        if let row = known[id] { return row }
        guard let row = try ZoneTable.find(id, db) else { return nil }
        remember(row, id)
        return row
    }

    func remember(_ row: ZoneRow, _ id: ZoneID) {
        known[id] = row
        if let open = inDoubt.indices.last { inDoubt[open].append(id) }
    }

    func forget(_ id: ZoneID) { known[id] = nil }

    func touch(_ zone: Int64, at position: Int64) { touched.now[zone] = max(position, touched.now[zone] ?? 0) }

    func begin() {
        inDoubt.append([])
        touched.begin()
    }

    func undo() {
        for zone in inDoubt.popLast() ?? [] { known[zone] = nil }
        touched.undo()
    }

    func keep() {
        let zones = inDoubt.popLast() ?? []
        if let open = inDoubt.indices.last { inDoubt[open] += zones }
        touched.keep()
    }

    func flush(_ db: SQLConnection) throws {
        for (zone, position) in touched.now {
            try db.later(Self.move, [.integer(position), .integer(zone)])
        }
    }

    private static let move = DeferredStatement(
        "UPDATE zones SET position = ? WHERE id = ? AND deleted = 0", rank: WriteRank.group)

    func committed() { touched.now.removeAll() }

    func lost(_ db: SQLConnection) {
        known.removeAll()
        inDoubt.removeAll()
        touched.reset(to: [:])
    }
}

extension WriteTransaction {
    package var zones: ZoneWrites { ZoneWrites(transaction: self) }
}

/// The zones of a write.
package struct ZoneWrites {
    let transaction: WriteTransaction
    private var part: ZonePart { transaction.part() }

    /// The live zone with this name and owner.
    package func find(_ id: ZoneID) throws -> ZoneRow? { try part.find(id, transaction.db) }

    /// The zone to write to. A default zone's row is inserted on first use (reference A §13.1).
    func open(_ id: ZoneID) throws -> ZoneRow {
        if let row = try find(id) { return row }
        guard !id.isCustom else { throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone)) }
        let row = try ZoneTable.insert(id, position: transaction.nextPosition(), transaction.db)
        remember(row, id)
        return row
    }

    func remember(_ row: ZoneRow, _ id: ZoneID) { part.remember(row, id) }

    func forget(_ id: ZoneID) { part.forget(id) }

    /// Marks a zone as changed at `position`, for changes/database.
    func touch(_ zone: Int64, at position: Int64) {
        transaction.didChange(zone: zone)
        part.touch(zone, at: position)
    }
}
