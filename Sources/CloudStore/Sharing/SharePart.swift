import CloudEngine
import CloudSQL

/// New positions of changed shares, written once per group.
final class SharePart: TransactionPart {
    private var touched = Undoable<[Int64: Int64]>([:])

    func touch(_ share: Int64, at position: Int64) { touched.now[share] = position }

    func begin() { touched.begin() }
    func undo() { touched.undo() }
    func keep() { touched.keep() }

    func flush(_ db: SQLConnection) throws {
        for (share, position) in touched.now {
            try db.later(Self.move, [.integer(position), .integer(share)])
        }
    }

    private static let move = DeferredStatement("UPDATE shares SET position = ? WHERE id = ?", rank: WriteRank.group)

    func committed() { touched.now.removeAll() }
    func lost(_ db: SQLConnection) { touched.reset(to: [:]) }
}

extension WriteTransaction {
    /// Marks a share as changed at `position`, for its members' `changes/database`.
    func touch(share: Int64, at position: Int64) {
        part(SharePart.self).touch(share, at: position)
        didChange(share: share)
    }
}
