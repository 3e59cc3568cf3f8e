/// A client's position in a change feed; a sync token carries it (reference A §8.1).
package enum ChangePosition: Hashable, Sendable {
    /// The client has read all changes up to this position, inclusive.
    case forward(Int64)
    /// Newest first: everything above `cursor` up to `head` has been seen, the walk ends at `floor`.
    case backward(floor: Int64, cursor: Int64, head: Int64)

    package static let start = ChangePosition.forward(0)
}
