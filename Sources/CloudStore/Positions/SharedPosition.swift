/// A position in the feed of a shared zone. Records that became visible by joining a share have the position of the joining,
/// and are numbered by their own positions.
struct SharedPosition: Hashable, Comparable, Sendable {
    var position: Int64
    var number: Int64

    static let start = SharedPosition(position: 0, number: 0)

    static func < (left: SharedPosition, right: SharedPosition) -> Bool {
        (left.position, left.number) < (right.position, right.number)
    }
}
