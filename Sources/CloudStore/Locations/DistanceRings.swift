import CloudModel

/// A walk over the records of a type by their distance from a place: circles that double in size, of each only what
/// the one before had not. So a page costs what is near, not what there is.
struct DistanceRings {
    struct Ring {
        let circle: Circle
        /// Metres from the place; the walk is over those more than `beyond` and up to `upTo`, or backwards from it.
        let beyond: Double?
        let upTo: Double
    }

    let rings: [Ring]

    /// Metres of the first circle.
    private static let first = 1_000.0
    /// The difference allowed between distances computed in two ways, in metres.
    private static let slack = 1.0

    /// - Parameters:
    ///   - start: the distance that the page before ended at.
    ///   - limit: no record is farther than this.
    init(from origin: Coordinate, ascending: Bool, start: Double?, limit: Double = .infinity) {
        rings = ascending ? Self.outwards(origin, start, limit) : Self.inwards(origin, start, limit)
    }

    private static func outwards(_ origin: Coordinate, _ start: Double?, _ limit: Double) -> [Ring] {
        let end = min(limit, Coordinate.farthest + slack)
        var rings: [Ring] = []
        var inner: Double?
        for radius in radii where (inner ?? 0) < end {
            let outer = min(radius, end)
            // The circle that the page before ended in is begun anew.
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

    /// The smaller of the two circles that hold a ring: around the place, or around the other side of the earth.
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
