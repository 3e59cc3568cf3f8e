#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A coordinate on Earth, the origin of NEAR filters and sorts by distance.
package struct Coordinate: Hashable, Sendable {
    /// Degrees, -90…90.
    package let latitude: Double
    /// Degrees, -180…180.
    package let longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the earth in metres.
    package static let earthRadius = 6_371_008.8
    /// The largest distance between two coordinates, in metres.
    package static let farthest = Double.pi * earthRadius

    /// Metres along the great circle. This formula is accurate for both near and antipodal points.
    package func distance(to other: Coordinate) -> Double {
        let (from, to) = (latitude.radians, other.latitude.radians)
        let apart = remainder(other.longitude - longitude, 360).radians
        let across = cos(to) * sin(apart)
        let along = cos(from) * sin(to) - sin(from) * cos(to) * cos(apart)
        let together = sin(from) * sin(to) + cos(from) * cos(to) * cos(apart)
        return Self.earthRadius * atan2((across * across + along * along).squareRoot(), together)
    }

    /// The diametrically opposite coordinate.
    package var antipode: Coordinate {
        Coordinate(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
    }
}

extension Location {
    package var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension Double {
    /// From degrees.
    var radians: Double { self * .pi / 180 }
    /// From radians.
    var degrees: Double { self * 180 / .pi }
}
