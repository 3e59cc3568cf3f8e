package import CloudModel

/// The result of one operation.
package enum OperationOutcome: Sendable {
    /// The record's stored form.
    case saved(RecordBody)
    case deleted(recordName: String)
    case failed(recordName: String, ServerError)
}
