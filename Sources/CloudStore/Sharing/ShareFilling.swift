import CloudModel
import GRDB

/// Share records as their reader sees them, filled in within the read that found them.
enum ShareFilling {
    /// - Parameter record: the row id of the record the body is of.
    static func fill(_ body: [UInt8], record: Int64, for caller: Caller, _ db: Database) throws -> [UInt8] {
        guard RecordBody.hasReaderMark(body) else { return body }
        // The mark is no JSON, so it goes even where there is nothing to put in its place.
        guard let share = try ShareTable.find(record: record, db) else { return BodyMarks.unmarked(body) }
        return RecordBody.filled(body, with: share.state, for: caller.userRecordName.flatMap(share.state.participant))
    }
}
