package import CloudModel

/// What became of one operation.
package enum OperationOutcome: Sendable {
    /// The record's stored form.
    case saved(RecordBody)
    case deleted(recordName: String)
    case failed(recordName: String, ServerError)
}
