import CloudModel
import CloudSQL

/// Records as their reader sees them, made so within the read that found them.
enum ShareFilling {
    /// A record of the reader's own zone, or of the public one: a share record says what its reader may know.
    ///
    /// - Parameter record: the row id of the record the body is of.
    static func fill(_ body: RecordBody, record: Int64, for caller: Caller, _ db: SQLConnection) throws -> RecordBody {
        guard body.hasReaderPlaceholder else { return body }
        // The mark is no JSON, so it goes even where there is nothing to put in its place.
        guard let share = try ShareTable.find(record: record, db) else { return body.withoutReaderPlaceholder }
        return body.filled(with: share.state, for: caller.userRecordName.flatMap(share.state.participant))
    }

    /// A record of somebody else's zone: the root of a share shows no parent that the reader does not see.
    static func fillShared(_ body: RecordBody, record: Int64, for caller: Caller, _ db: SQLConnection) throws
        -> RecordBody
    {
        try hidingParent(fill(body, record: record, for: caller, db), record: record, from: caller.userRecordName, db)
    }

    /// - Parameter user: nil for a reader who is in no share.
    static func hidingParent(_ body: RecordBody, record: Int64, from user: String?, _ db: SQLConnection) throws
        -> RecordBody
    {
        guard let parent = body.parentOfRoot else { return body }
        let isSeen = try db.first(
            """
            SELECT 1 FROM records child
            CROSS JOIN records parent ON parent.zone = child.zone AND parent.name = ? AND parent.record_type IS NOT NULL
            CROSS JOIN members m ON m.user = ? AND m.zone = child.zone AND (m.is_zone_wide = 1 OR m.share = parent.share)
            WHERE child.id = ?
            """,
            .text(parent), .text(user ?? ""), .integer(record)
        ) { _ in true }
        return isSeen == true ? body : body.withoutParent
    }
}
