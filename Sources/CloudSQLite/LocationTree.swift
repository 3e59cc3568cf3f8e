import CloudEngine
import CloudSQL

/// Locations in an R*Tree.
struct LocationTree: LocationIndex {
    /// As the migration "8 words and places" makes it; "17 names" calls it `locations_tree`.
    var layout: String {
        """
        -- Positions in 1e-7 degrees, rounded outwards. place says which zone and field, as a number that is far from
        -- those of others: so each has a branch of the tree of its own. It spans one unit, because a box without any
        -- extent has no volume, by which the tree chooses where things go.
        CREATE VIRTUAL TABLE positions_tree USING rtree_i32(
            id, south, north, west, east, place, place_end
        );
        """
    }

    var areas: String { "" }
    var renaming: String { "ALTER TABLE positions_tree RENAME TO locations_tree;" }

    func insert(_ location: IndexedLocation, _ db: SQLConnection) throws {
        let number = Self.number(field: location.field, zone: location.zone)
        try db.later(
            Self.insertion,
            [
                .integer(location.id), .integer(Self.units(location.latitude, .down)),
                .integer(Self.units(location.latitude, .up)), .integer(Self.units(location.longitude, .down)),
                .integer(Self.units(location.longitude, .up)), .integer(number), .integer(number + 1),
            ])
    }

    func remove(record: Int64, _ db: SQLConnection) throws { try db.later(Self.removal, [.integer(record)]) }

    func remove(zone: Int64, _ db: SQLConnection) throws {
        try db.run(
            """
            DELETE FROM locations_tree WHERE id IN
                (SELECT p.id FROM records r CROSS JOIN locations p ON p.record = r.id WHERE r.zone = ?)
            """, .integer(zone))
    }

    func search(
        _ boxes: [LocationBox], field: Int64, zones: [Int64]
    ) -> (source: String, condition: String, values: [SQLValue]) {
        let rows =
            ["SELECT ? AS south, ? AS north, ? AS west, ? AS east"] + boxes.dropFirst().map { _ in "SELECT ?, ?, ?, ?" }
        let source = """
            (\(rows.joined(separator: " UNION ALL "))) b CROSS JOIN json_each(?) z CROSS JOIN locations_tree t
                CROSS JOIN locations p ON p.id = t.id
            """
        let condition = """
            t.place = z.value AND t.north >= b.south AND t.south <= b.north AND t.east >= b.west
                AND t.west <= b.east AND p.field = \(field)
            """
        let numbers = Set(zones.map { String(Self.number(field: field, zone: $0)) }).sorted()
        return (source, condition, boxes.flatMap(Self.values) + [.text("[\(numbers.joined(separator: ","))]")])
    }

    private static func values(_ box: LocationBox) -> [SQLValue] {
        [
            .integer(units(box.south, .down)), .integer(units(box.north, .up)), .integer(units(box.west, .down)),
            .integer(units(box.east, .up)),
        ]
    }

    /// A hash of zone and field. Two pairs may share a number, so queries also compare zone and field.
    private static func number(field: Int64, zone: Int64) -> Int64 {
        let mixed =
            (UInt64(bitPattern: zone) &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(bitPattern: field) &* 0xBF58_476D_1CE4_E5B9)
        return Int64((mixed &* 0x94D0_49BB_1331_11EB) >> 33) - (1 << 30)
    }

    /// Degrees in the tree's integer units, ten million per degree.
    private static func units(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        Int64((degrees * 1e7).rounded(rule))
    }

    private static let insertion = DeferredStatement(
        insert: "INSERT INTO locations_tree (id, south, north, west, east, place, place_end)", columns: 7,
        rank: WriteRank.beside)
    private static let removal = DeferredStatement(
        removal("= ?"), many: .given(columns: ["record"], statement: removal("IN (SELECT record FROM given)")),
        rank: WriteRank.tree)

    private static func removal(_ condition: String) -> String {
        "DELETE FROM locations_tree WHERE id IN (SELECT id FROM locations WHERE record \(condition))"
    }
}
