/// A stretch of an environment's history, written between opening its database and closing it.
///
/// An epoch begins with the first change after opening. A restored older copy lacks the epochs of its missing changes, and
/// reassigns their positions under a new epoch.
package struct Epoch: Hashable, Sendable {
    /// Random, from ``ids``. 0 stands for changes older than a file's first epoch.
    package let id: Int64
    /// The epoch's first change position.
    package let first: Int64
    /// The time when the epoch began.
    package let began: Timestamp
    /// The time of the last change before this epoch; nil if unrecorded.
    package let kept: Timestamp?
    /// The epoch's part of a change tag, before the position.
    package let tagPart: String

    /// JSON carries these exactly.
    package static let ids: ClosedRange<Int64> = 1...(1 << 53)

    package init(id: Int64, first: Int64, began: Timestamp, kept: Timestamp?) {
        self.id = id
        self.first = first
        self.began = began
        self.kept = kept
        // 60 million values: two histories rarely share a part, and even then only tags of equal positions collide.
        let part = String(id % 60_466_176, radix: 36)
        tagPart = String(repeating: "0", count: ChangeTag.partSize - part.count) + part
    }
}
