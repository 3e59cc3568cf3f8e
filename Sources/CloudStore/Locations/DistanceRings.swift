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
    /// What distances by two ways may differ by, in metres.
    private static let slack = 1.0

    /// - Parameters:
    ///   - start: the distance that the page before ended at.
    ///   - limit: no record is farther than this.
    init(from origin: Position, ascending: Bool, start: Double?, limit: Double = .infinity) {
        rings = ascending ? Self.outwards(origin, start, limit) : Self.inwards(origin, start)
    }

    private static func outwards(_ origin: Position, _ start: Double?, _ limit: Double) -> [Ring] {
        let end = min(limit, Position.farthest + slack)
        var rings: [Ring] = []
        var inner: Double?
        for radius in radii where (inner ?? 0) < end {
            let outer = min(radius, end)
            // The circle that the page before ended in is begun anew.
            if let start, outer < start { continue }
            rings.append(Ring(circle: Circle(center: origin, radius: outer + slack), beyond: inner, upTo: outer))
            inner = outer
        }
        return rings
    }

    /// The farthest are those nearest to the other side of the earth.
    private static func inwards(_ origin: Position, _ start: Double?) -> [Ring] {
        var rings: [Ring] = []
        var outer = Double?.none
        for radius in radii {
            let inner = Position.farthest - radius
            if let start, inner >= start { continue }
            rings.append(
                Ring(
                    circle: Circle(center: origin.antipode, radius: radius + slack), beyond: inner > 0 ? inner : nil,
                    upTo: outer ?? .infinity))
            outer = inner
            if inner <= 0 { break }
        }
        return rings
    }

    private static var radii: UnfoldFirstSequence<Double> {
        sequence(first: first) { $0 > Position.farthest ? nil : $0 * 2 }
    }
}
