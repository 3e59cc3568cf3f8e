import CloudModel
import CloudSQL

/// Where records are, for NEAR and sorting by distance.
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
        let place = place(field: field, zone: zone)
        try db.later(
            treeInsertion,
            [
                .integer(id), .integer(units(position.latitude, .down)), .integer(units(position.latitude, .up)),
                .integer(units(position.longitude, .down)), .integer(units(position.longitude, .up)),
                .integer(place), .integer(place + 1),
            ])
    }

    static func delete(record: Int64, _ db: SQLConnection) throws {
        try db.later(treeRemoval, [.integer(record)])
        try db.later(removal, [.integer(record)])
    }

    private static let insertion = DeferredStatement(
        insert: "INSERT INTO positions (id, record, field, zone, latitude, longitude)", columns: 6,
        rank: WriteRank.beside)
    private static let treeInsertion = DeferredStatement(
        insert: "INSERT INTO positions_tree (id, south, north, west, east, place, place_end)", columns: 7,
        rank: WriteRank.beside)
    private static let treeRemoval = DeferredStatement(
        "DELETE FROM positions_tree WHERE id IN (SELECT id FROM positions WHERE record = ?)", rank: WriteRank.tree)
    private static let removal = DeferredStatement(
        "DELETE FROM positions WHERE record = ?", rank: WriteRank.removal)

    static func delete(zone: Int64, _ db: SQLConnection) throws {
        let positions = "SELECT p.id FROM records r CROSS JOIN positions p ON p.record = r.id WHERE r.zone = ?"
        try db.run("DELETE FROM positions_tree WHERE id IN (\(positions))", .integer(zone))
        try db.run("DELETE FROM positions WHERE id IN (\(positions))", .integer(zone))
    }

    /// Which zone and field, spread over half of the numbers there are. Two may share one, so both are asked for too.
    static func place(field: Int64, zone: Int64) -> Int64 {
        let mixed =
            (UInt64(bitPattern: zone) &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(bitPattern: field) &* 0xBF58_476D_1CE4_E5B9)
        return Int64((mixed &* 0x94D0_49BB_1331_11EB) >> 33) - (1 << 30)
    }

    /// Degrees as the tree has them.
    static func units(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        Int64((degrees * 1e7).rounded(rule))
    }
}
