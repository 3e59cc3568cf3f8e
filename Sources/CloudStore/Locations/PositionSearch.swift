import CloudModel
import CloudSQL

/// The pieces of SQL that find positions `p` in a circle: boxes of the tree first, then the distance itself.
struct PositionSearch {
    /// Tables from which a position `p` comes.
    let source: String
    /// What they are asked; the values begin with those of `source`.
    let condition: QueryCondition

    init(_ circle: Circle, field: Int64, zones: [Int64]) {
        let boxes = circle.boxes
        let rows =
            ["SELECT ? AS south, ? AS north, ? AS west, ? AS east"] + boxes.dropFirst().map { _ in "SELECT ?, ?, ?, ?" }
        source = """
            (\(rows.joined(separator: " UNION ALL "))) b CROSS JOIN json_each(?) z CROSS JOIN positions_tree t
                CROSS JOIN positions p ON p.id = t.id
            """
        let places = zones.map { String(PositionTable.place(field: field, zone: $0)) }
        condition = QueryCondition(
            sql: """
                t.place = z.value AND t.north >= b.south AND t.south <= b.north AND t.east >= b.west
                    AND t.west <= b.east AND p.field = \(field)
                """,
            values: boxes.flatMap(Self.values) + [.text("[\(Set(places).sorted().joined(separator: ","))]")])
    }

    private static func values(_ box: Circle.Box) -> [SQLValue] {
        [
            .integer(PositionTable.units(box.south, .down)), .integer(PositionTable.units(box.north, .up)),
            .integer(PositionTable.units(box.west, .down)), .integer(PositionTable.units(box.east, .up)),
        ]
    }

    /// The records in a circle, as a subquery.
    static func records(in circle: Circle, field: Int64, zones: [Int64]) -> QueryCondition {
        let search = PositionSearch(circle, field: field, zones: zones)
        let condition = search.condition && isInside(circle, "p")
        return QueryCondition(
            sql: "SELECT p.record FROM \(search.source) WHERE \(condition.sql)", values: condition.values)
    }

    /// Whether a position is in a circle.
    static func isInside(_ circle: Circle, _ alias: String) -> QueryCondition {
        QueryCondition(
            sql: "distance(?, ?, \(alias).latitude, \(alias).longitude) <= ?",
            values: [.real(circle.center.latitude), .real(circle.center.longitude), .real(circle.radius)])
    }
}
