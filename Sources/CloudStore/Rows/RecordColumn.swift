import CloudModel
import CloudSQL

extension SQLRow {
    /// The body of a record in a column, whatever its bytes are; one without bytes for NULL.
    func record(_ column: Int) -> RecordBody { RecordBody(blob(column)) }

    /// The same for an answer, which copies the bytes.
    ///
    /// - Throws: ``SQLError`` of a damaged database when they are no JSON.
    func wholeRecord(_ column: Int) throws(SQLError) -> RecordBody {
        let body = record(column)
        guard body.isWhole else { throw SQLError(.damaged, "the body of a record is no JSON") }
        return body
    }
}

extension SQLValue {
    static func record(_ body: RecordBody) -> SQLValue { .blob(body.bytes) }
}

extension ServerError {
    /// One record's body is no JSON: the database is damaged.
    static let damagedRecord = ServerError(
        .internalError,
        "the record is damaged where it is stored and can be deleted or written anew by forceReplace; "
            + "'cumulus check' names such records", .server(.disk))
}
