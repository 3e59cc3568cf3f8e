import CloudEngine
import CloudModel
import CloudSQL

/// Records' locations, for NEAR and sorting by distance.
enum LocationTable {
    static func insert(
        _ coordinate: Coordinate, of field: Int64, record: Int64, zone: Int64, _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        let id = try transaction.nextID(in: .locations)
        try db.later(
            insertion,
            [
                .integer(id), .integer(record), .integer(field), .integer(zone), .real(coordinate.latitude),
                .real(coordinate.longitude),
            ])
        try db.dialect.locations.insert(
            IndexedLocation(
                id: id, field: field, zone: zone, latitude: coordinate.latitude, longitude: coordinate.longitude), db)
    }

    static func delete(record: Int64, _ db: SQLConnection) throws {
        try db.dialect.locations.remove(record: record, db)
        try db.later(removal, [.integer(record)])
    }

    private static let insertion = DeferredStatement(
        insert: "INSERT INTO locations (id, record, field, zone, latitude, longitude)", columns: 6,
        rank: WriteRank.beside)
    private static let removal = DeferredStatement(
        delete: "locations", where: ["record"], rank: WriteRank.removal)

    static func delete(zone: Int64, _ db: SQLConnection) throws {
        try db.dialect.locations.remove(zone: zone, db)
        try db.run(
            """
            DELETE FROM locations WHERE id IN
                (SELECT l.id FROM records r /*!CROSS*/ JOIN locations l ON l.record = r.id WHERE r.zone = ?)
            """, .integer(zone))
    }
}
