#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// All coordinates within some metres of a centre.
package struct Circle: Hashable, Sendable {
    package let center: Coordinate
    /// Metres, 0 or more.
    package let radius: Double

    package init(center: Coordinate, radius: Double) {
        self.center = center
        self.radius = radius
    }

    /// A rectangle of the map, in degrees, on one side of the date line.
    package struct Box: Hashable, Sendable {
        package let south: Double
        package let north: Double
        package let west: Double
        package let east: Double
    }

    /// An upper bound on rounding errors, in degrees: a tenth of a metre.
    private static let slack = 1e-6

    /// Boxes that cover the circle tightly: all longitudes for a circle around a pole, two disjoint boxes across the date line.
    package var boxes: [Box] {
        let angle = min(radius / Coordinate.earthRadius, .pi)
        let (south, north) = (
            center.latitude - angle.degrees - Self.slack, center.latitude + angle.degrees + Self.slack
        )
        guard south > -90, north < 90 else {
            return [Box(south: max(south, -90), north: min(north, 90), west: -180, east: 180)]
        }
        let reach = asin(min(sin(angle) / cos(center.latitude.radians), 1)).degrees + Self.slack
        let (west, east) = (center.longitude - reach, center.longitude + reach)
        if west < -180 {
            return [
                Box(south: south, north: north, west: west + 360, east: 180),
                Box(south: south, north: north, west: -180, east: east),
            ]
        }
        if east > 180 {
            return [
                Box(south: south, north: north, west: west, east: 180),
                Box(south: south, north: north, west: -180, east: east - 360),
            ]
        }
        return [Box(south: south, north: north, west: west, east: east)]
    }
}
