import CloudModel

/// Searches the records of a type by distance from a place, in rings whose outer radius doubles. So a page reads nearby
/// records, not all records.
struct DistanceRings {
    struct Ring {
        let circle: Circle
        /// The inner radius in metres, exclusive; nil for the full circle. The outer radius is `upTo`, inclusive.
        let beyond: Double?
        let upTo: Double
    }

    let rings: [Ring]

    /// The radius of the first circle, in metres.
    private static let first = 1_000.0
    /// The tolerance for distances computed in two ways, in metres.
    private static let slack = 1.0

    /// - Parameters:
    ///   - start: the distance at which the previous page ended; nil for the first page.
    ///   - limit: the largest distance.
    init(from origin: Coordinate, ascending: Bool, start: Double?, limit: Double = .infinity) {
        rings = ascending ? Self.outwards(origin, start, limit) : Self.inwards(origin, start, limit)
    }

    private static func outwards(_ origin: Coordinate, _ start: Double?, _ limit: Double) -> [Ring] {
        let end = min(limit, Coordinate.farthest + slack)
        var rings: [Ring] = []
        var inner: Double?
        for radius in radii where (inner ?? 0) < end {
            let outer = min(radius, end)
            // Starts with the full circle in which the previous page ended.
            if let start, outer < start { continue }
            rings.append(ring(origin, beyond: inner, upTo: outer))
            inner = outer
        }
        return rings
    }

    private static func inwards(_ origin: Coordinate, _ start: Double?, _ limit: Double) -> [Ring] {
        var rings: [Ring] = []
        var outer = min(limit, start ?? .infinity)
        for radius in radii {
            let inner = Coordinate.farthest - radius
            if inner >= outer { continue }
            rings.append(ring(origin, beyond: inner > 0 ? inner : nil, upTo: outer))
            outer = inner
            if inner <= 0 { break }
        }
        return rings
    }

    /// A ring with the smaller circle that contains it: around the place, or around its antipode.
    private static func ring(_ origin: Coordinate, beyond inner: Double?, upTo outer: Double) -> Ring {
        let far = Coordinate.farthest - (inner ?? 0)
        let circle =
            outer <= far
            ? Circle(center: origin, radius: outer + slack) : Circle(center: origin.antipode, radius: far + slack)
        return Ring(circle: circle, beyond: inner, upTo: outer)
    }

    private static var radii: UnfoldFirstSequence<Double> {
        sequence(first: first) { $0 > Coordinate.farthest ? nil : $0 * 2 }
    }
}
