package import CloudModel
package import CloudSQL

extension SQLRow {
    /// The record body in a column, unvalidated; an empty body for NULL.
    package func record(_ column: Int) -> RecordBody { RecordBody(blob(column)) }

    /// The record body in a column, validated for a response, which copies its bytes.
    ///
    /// - Throws: ``SQLError`` of a damaged database if the bytes are no JSON.
    package func wholeRecord(_ column: Int) throws(SQLError) -> RecordBody {
        let body = record(column)
        guard body.isWhole else { throw SQLError(.damaged, "the body of a record is no JSON") }
        return body
    }
}

extension SQLValue {
    static func record(_ body: RecordBody) -> SQLValue { .blob(body.bytes) }
}

extension ServerError {
    /// The error for a record whose stored body is no JSON.
    static let damagedRecord = ServerError(
        .internalError,
        "the record is damaged where it is stored and can be deleted or written anew by forceReplace; "
            + "'cumulus check' names such records", .server(.disk))
}
