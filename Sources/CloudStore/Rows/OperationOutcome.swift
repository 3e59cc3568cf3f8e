package import CloudModel

/// The result of one record operation.
package enum OperationOutcome: Sendable {
    /// The record's stored body.
    case saved(RecordBody)
    case deleted(recordName: String)
    case failed(recordName: String, ServerError)
}
