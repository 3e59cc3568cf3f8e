import CloudSQL

/// Locations as points in a plane with a single index, where each zone and field has its own square.
///
/// A multi-column index would scan a whole band of latitude. PostgreSQL cannot index points and numbers together
/// without an extension, so zone and field shift the points by more degrees than the globe has.
struct LocationPoints: LocationIndex {
    var layout: String { "CREATE INDEX positions_place ON positions (field, zone, latitude, longitude);" }
    var renaming: String { "ALTER INDEX positions_place RENAME TO locations_zone;" }

    var areas: String {
        """
        CREATE INDEX locations_point ON locations
            USING gist (\(Self.point("zone", "longitude", "field", "latitude")));
        DROP INDEX locations_zone;
        """
    }

    func insert(_ location: IndexedLocation, _ db: SQLConnection) throws {}
    func remove(record: Int64, _ db: SQLConnection) throws {}
    func remove(zone: Int64, _ db: SQLConnection) throws {}

    /// Rounding preserves order, so a point inside a box stays inside after the shift; exact column conditions remove
    /// false matches.
    func search(
        _ boxes: [LocationBox], field: Int64, zones: [Int64]
    ) -> (source: String, condition: String, values: [SQLValue]) {
        let number = "CAST(? AS DOUBLE PRECISION)"
        let row = Array(repeating: number, count: 4).joined(separator: ", ")
        let rows = boxes.map { _ in "(\(row))" }.joined(separator: ", ")
        // NULL matches no zone, for an empty list of zones.
        let numbers = (zones.isEmpty ? ["NULL"] : zones.map(String.init)).map { "(CAST(\($0) AS BIGINT))" }
            .joined(separator: ", ")
        let corners = [("west", "south"), ("east", "north")].map {
            Self.point("z.zone", "b.\($0.0)", "\(field)", "b.\($0.1)")
        }
        let source = """
            (VALUES \(rows)) AS b (south, north, west, east) CROSS JOIN (VALUES \(numbers)) AS z (zone)
                JOIN locations p ON \(Self.point("p.zone", "p.longitude", "p.field", "p.latitude"))
                <@ box(\(corners.joined(separator: ", "))) AND p.field = \(field) AND p.zone = z.zone
                AND p.latitude >= b.south AND p.latitude <= b.north AND p.longitude >= b.west AND p.longitude <= b.east
            """
        let values = boxes.flatMap { [$0.south, $0.north, $0.west, $0.east].map(SQLValue.real) }
        return (source, "p.field = \(field)", values)
    }

    private static func point(_ zone: String, _ longitude: String, _ field: String, _ latitude: String) -> String {
        "point(\(shift(zone)) + \(longitude), \(shift(field)) + \(latitude))"
    }

    private static func shift(_ number: String) -> String { "CAST(\(number) AS DOUBLE PRECISION) * 512" }
}
