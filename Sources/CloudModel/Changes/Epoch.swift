/// A part of an environment's history that one opening of its file wrote.
///
/// An epoch begins with the first change after the file is opened, so an older copy of the file that is put back has
/// not got the epochs of the changes it lacks, and gives out their positions in an epoch of its own.
package struct Epoch: Hashable, Sendable {
    /// Random, from ``ids``. 0 stands for the time before the first epoch of a file.
    package let id: Int64
    /// The first change position given out in it.
    package let first: Int64
    /// The time when the epoch began.
    package let began: Timestamp
    /// The time of the last change before this epoch; nil if the file does not record it.
    package let kept: Timestamp?
    /// The part of its change tags before the position.
    package let tagPart: String

    /// JSON carries these exactly.
    package static let ids: ClosedRange<Int64> = 1...(1 << 53)

    package init(id: Int64, first: Int64, began: Timestamp, kept: Timestamp?) {
        self.id = id
        self.first = first
        self.began = began
        self.kept = kept
        // 60 million parts: two histories rarely share one, and then only tags of the same position are alike.
        let part = String(id % 60_466_176, radix: 36)
        tagPart = String(repeating: "0", count: ChangeTag.partSize - part.count) + part
    }
}
