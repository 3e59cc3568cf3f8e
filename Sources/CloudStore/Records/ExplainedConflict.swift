import CloudModel
import CloudSQL

extension Batch {
    /// Adds details to a conflict for the trail: the current record, its last editor and the differing fields.
    ///
    /// Details cover only what the caller sees, and name fields without their values.
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
