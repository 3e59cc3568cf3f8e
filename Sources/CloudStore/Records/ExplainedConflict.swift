import CloudModel
import CloudSQL

extension Batch {
    /// A conflict with all that the trail tells of it: what is there, who changed it and which fields differ.
    ///
    /// Only what the caller sees is looked at, and only names of fields are told.
    func explained(
        _ error: ServerError, _ operation: RecordOperation, _ live: StoredRecord?, _ type: RecordType?, _ name: String
    ) throws -> ServerError {
        guard transaction.trace != nil, case .conflict(var check) = error.cause, let live, let type else {
            return error
        }
        let stored = try ParsedBody(RecordTable.body(of: live, db))
        check.recordName = name
        check.recordType = type.name
        check.zone = context.request.zone
        check.changedBy = stored.modified.userRecordName
        check.changed = stored.modified.timestamp
        check.fields = operation.fields.filter { field in
            type.fields[field.name] != nil && stored.fields[field.name]?.object?["value"] != field.value
        }.prefix(ConflictCheck.mostFields).map(\.name)
        return error.because(.conflict(check))
    }
}
