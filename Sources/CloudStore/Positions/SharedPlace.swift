/// A place in the feed of a zone of another's. What became visible by joining a share all stands at the position of
/// the joining, numbered by where it would stand otherwise.
struct SharedPlace: Hashable, Comparable, Sendable {
    var position: Int64
    var number: Int64

    static let start = SharedPlace(position: 0, number: 0)

    static func < (left: SharedPlace, right: SharedPlace) -> Bool {
        (left.position, left.number) < (right.position, right.number)
    }
}
