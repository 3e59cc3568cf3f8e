import CloudModel
import CloudSQL

/// SQL that finds locations `p` in a circle: by bounding boxes first, then by distance.
struct LocationSearch {
    /// The tables that provide `p`, for FROM.
    let source: String
    /// The condition on these tables; its values begin with the values of `source`.
    let condition: QueryCondition

    init(_ circle: Circle, field: Int64, zones: [Int64], _ index: any LocationIndex) {
        let boxes = circle.boxes.map { LocationBox(south: $0.south, north: $0.north, west: $0.west, east: $0.east) }
        let search = index.search(boxes, field: field, zones: zones)
        source = search.source
        condition = QueryCondition(sql: search.condition, values: search.values)
    }

    /// A subquery that yields the row ids of records in a circle.
    static func records(
        in circle: Circle, field: Int64, zones: [Int64], _ index: any LocationIndex
    ) -> QueryCondition {
        let search = LocationSearch(circle, field: field, zones: zones, index)
        let condition = search.condition && isInside(circle, "p")
        return QueryCondition(
            sql: "SELECT p.record FROM \(search.source) WHERE \(condition.sql)", values: condition.values)
    }

    /// A condition that a location meets inside a circle.
    static func isInside(_ circle: Circle, _ alias: String) -> QueryCondition {
        QueryCondition(
            sql: "distance(?, ?, \(alias).latitude, \(alias).longitude) <= ?",
            values: [.real(circle.center.latitude), .real(circle.center.longitude), .real(circle.radius)])
    }
}
