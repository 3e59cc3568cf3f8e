/// A client's position in a change feed; a sync token carries it (reference A §8.1).
package enum ChangePosition: Hashable, Sendable {
    /// The client has read all changes up to this position, inclusive.
    case forward(Int64)
    /// Reading newest first: positions above `cursor` up to `head` are done, and reading ends at `floor`.
    case backward(floor: Int64, cursor: Int64, head: Int64)

    package static let start = ChangePosition.forward(0)
}
