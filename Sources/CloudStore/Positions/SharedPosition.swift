/// A place in the feed of a zone of another's. What became visible by joining a share all stands at the position of
/// the joining, numbered by where it would stand otherwise.
struct SharedPosition: Hashable, Comparable, Sendable {
    var position: Int64
    var number: Int64

    static let start = SharedPosition(position: 0, number: 0)

    static func < (left: SharedPosition, right: SharedPosition) -> Bool {
        (left.position, left.number) < (right.position, right.number)
    }
}
