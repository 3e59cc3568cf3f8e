import CloudModel
import CloudSQL

/// Fills stored records in for their reader, within the read that found them.
enum ShareFilling {
    /// Fills in a record of the reader's own zone or of the public zone: a share record tells only what the reader may know.
    ///
    /// - Parameter record: the row id of the record.
    static func fill(_ body: RecordBody, record: Int64, for caller: Caller, _ db: SQLConnection) throws -> RecordBody {
        guard body.hasReaderPlaceholder else { return body }
        // Without a share the placeholder is removed nevertheless, because it is not JSON.
        guard let share = try ShareTable.find(record: record, db) else { return body.withoutReaderPlaceholder }
        return body.filled(with: share.state, for: caller.userRecordName.flatMap(share.state.participant))
    }

    /// Fills in a record of another user's zone: the root of a share hides a parent that the reader cannot see.
    static func fillShared(_ body: RecordBody, record: Int64, for caller: Caller, _ db: SQLConnection) throws
        -> RecordBody
    {
        try hidingParent(fill(body, record: record, for: caller, db), record: record, from: caller.userRecordName, db)
    }

    /// - Parameter user: nil for a reader without memberships.
    static func hidingParent(_ body: RecordBody, record: Int64, from user: String?, _ db: SQLConnection) throws
        -> RecordBody
    {
        guard let parent = body.parentOfRoot else { return body }
        let isSeen = try db.first(
            """
            SELECT 1 FROM records child
            /*!CROSS*/ JOIN records parent
                ON parent.zone = child.zone AND parent.name = ? AND parent.record_type IS NOT NULL
            /*!CROSS*/ JOIN members m
                ON m.user = ? AND m.zone = child.zone AND (m.is_zone_wide = 1 OR m.share = parent.share)
            WHERE child.id = ?
            """,
            .text(parent), .text(user ?? ""), .integer(record)
        ) { _ in true }
        return isSeen == true ? body : body.withoutParent
    }
}
