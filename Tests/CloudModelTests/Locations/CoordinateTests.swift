import CloudModel
import Testing

/// Distances on the sphere, and the boxes in which a circle is looked for.
struct PositionTests {
    private static let frankfurt = Coordinate(latitude: 50.033333, longitude: 8.570556)

    @Test(
        "Distances between coordinates are those on the sphere",
        arguments: [
            (frankfurt, frankfurt, 0, 0),
            (frankfurt, Coordinate(latitude: 49.498611, longitude: 7.867778), 78_000, 1_000),
            (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 1), 111_195.08, 0.01),
            (Coordinate(latitude: 0, longitude: 179.5), Coordinate(latitude: 0, longitude: -179.5), 111_195.08, 0.01),
            (Coordinate(latitude: 7, longitude: 180), Coordinate(latitude: 7, longitude: -180), 0, 0),
            (Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: 90, longitude: 77), 0, 1e-6),
            (Coordinate(latitude: 89, longitude: 0), Coordinate(latitude: 89, longitude: 180), 222_390.16, 0.01),
            (
                Coordinate(latitude: 90, longitude: 5), Coordinate(latitude: -90, longitude: 70), Coordinate.farthest,
                1e-3
            ),
            (
                Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: -10, longitude: -160),
                Coordinate.farthest,
                1e-3
            ),
            (Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 10, longitude: 20.0000001), 0.01095, 1e-4),
        ])
    func distances(from: Coordinate, to: Coordinate, metres: Double, tolerance: Double) {
        #expect(abs(from.distance(to: to) - metres) <= tolerance)
        #expect(abs(to.distance(to: from) - metres) <= tolerance)
    }

    @Test(
        "The boxes around a circle allow for poles and the date line",
        arguments: [
            (Coordinate(latitude: 0, longitude: 0), 1000.0, 1), (Coordinate(latitude: 0, longitude: 179.999), 1000, 2),
            (Coordinate(latitude: 0, longitude: -179.999), 1000, 2), (Coordinate(latitude: 0, longitude: 180), 0, 2),
            (Coordinate(latitude: 89.999, longitude: 0), 1000, 1), (Coordinate(latitude: -90, longitude: 0), 0, 1),
            (frankfurt, 1e300, 1), (frankfurt, Coordinate.farthest, 1),
        ])
    func boxes(center: Coordinate, radius: Double, count: Int) {
        #expect(Circle(center: center, radius: radius).boxes.count == count)
    }

    /// Places at the edge of circles all over the map: each is in exactly one box.
    @Test("Every point of a circle lies in one of its boxes") func coverage() {
        let latitudes = [-90, -89.99, -60, 0, 0.5, 33, 89.9999, 90]
        let longitudes = [-180, -179.9, -90, 0, 12.3456789, 179.999, 180]
        let steps = [-180, -77, -5, -0.1, -0.001, 0, 0.000001, 0.001, 0.1, 5, 77, 180]
        for center in latitudes.flatMap({ latitude in longitudes.map { Coordinate(latitude: latitude, longitude: $0) } }
        ) {
            for north in steps {
                for east in steps {
                    let other = Coordinate(
                        latitude: min(max(center.latitude + north, -90), 90),
                        longitude: min(max(center.longitude + east, -180), 180))
                    let holding = Circle(center: center, radius: center.distance(to: other)).boxes.filter {
                        ($0.south...$0.north).contains(other.latitude) && ($0.west...$0.east).contains(other.longitude)
                    }
                    #expect(holding.count == 1, "\(center) \(other)")
                }
            }
        }
    }
}
