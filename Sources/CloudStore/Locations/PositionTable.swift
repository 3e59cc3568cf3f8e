import CloudModel
import CloudSQL

/// The positions of records, for NEAR and sorting by distance.
enum PositionTable {
    static func insert(
        _ position: Position, of field: Int64, record: Int64, zone: Int64, _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        let id = try transaction.nextID(in: .positions)
        try db.later(
            insertion,
            [
                .integer(id), .integer(record), .integer(field), .integer(zone), .real(position.latitude),
                .real(position.longitude),
            ])
        try db.dialect.places.insert(
            IndexedLocation(
                id: id, field: field, zone: zone, latitude: position.latitude, longitude: position.longitude), db)
    }

    static func delete(record: Int64, _ db: SQLConnection) throws {
        try db.dialect.places.remove(record: record, db)
        try db.later(removal, [.integer(record)])
    }

    private static let insertion = DeferredStatement(
        insert: "INSERT INTO positions (id, record, field, zone, latitude, longitude)", columns: 6,
        rank: WriteRank.beside)
    private static let removal = DeferredStatement(
        "DELETE FROM positions WHERE record = ?", rank: WriteRank.removal)

    static func delete(zone: Int64, _ db: SQLConnection) throws {
        try db.dialect.places.remove(zone: zone, db)
        try db.run(
            """
            DELETE FROM positions WHERE id IN
                (SELECT p.id FROM records r CROSS JOIN positions p ON p.record = r.id WHERE r.zone = ?)
            """, .integer(zone))
    }
}
