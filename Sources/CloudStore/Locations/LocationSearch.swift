import CloudModel
import CloudSQL

/// The pieces of SQL that find locations `p` in a circle: boxes first, then the distance itself.
struct LocationSearch {
    /// Tables from which a location `p` comes.
    let source: String
    /// The condition that rows of these tables meet; the values begin with those of `source`.
    let condition: QueryCondition

    init(_ circle: Circle, field: Int64, zones: [Int64], _ index: any LocationIndex) {
        let boxes = circle.boxes.map { LocationBox(south: $0.south, north: $0.north, west: $0.west, east: $0.east) }
        let search = index.search(boxes, field: field, zones: zones)
        source = search.source
        condition = QueryCondition(sql: search.condition, values: search.values)
    }

    /// The records in a circle, as a subquery.
    static func records(
        in circle: Circle, field: Int64, zones: [Int64], _ index: any LocationIndex
    ) -> QueryCondition {
        let search = LocationSearch(circle, field: field, zones: zones, index)
        let condition = search.condition && isInside(circle, "p")
        return QueryCondition(
            sql: "SELECT p.record FROM \(search.source) WHERE \(condition.sql)", values: condition.values)
    }

    /// The condition that a location is in a circle.
    static func isInside(_ circle: Circle, _ alias: String) -> QueryCondition {
        QueryCondition(
            sql: "distance(?, ?, \(alias).latitude, \(alias).longitude) <= ?",
            values: [.real(circle.center.latitude), .real(circle.center.longitude), .real(circle.radius)])
    }
}
