package import CloudModel
import CloudStore

/// A fault inside a call; the rest of the call runs normally.
package struct CallFault: Hashable, Sendable {
    /// The index of the operation or zone in the batch that fails.
    package var operation: Int?
    /// The error of the failing operation.
    package var error: ServerError?
    /// The most records per page; nil for the normal limit.
    package var pageSize: Int?
    /// Whether sync tokens are refused as if expired.
    package var refusesSyncTokens = false
    /// Whether the connection closes before the answer.
    package var isUnheard = false

    package init() {}

    /// Throws for a request with a sync token if the fault refuses sync tokens.
    package func refuse(syncToken: String?) throws(ServerError) {
        if refusesSyncTokens, syncToken != nil { throw SyncTokens.unknown }
    }

    package func refuse(in operations: inout [Result<RecordOperation, RecordOperation.Refused>]) {
        guard let operation, let error, operations.indices.contains(operation),
            case .success(let parsed) = operations[operation]
        else { return }
        operations[operation] = .failure(.init(recordName: parsed.recordName, error: error))
    }
}
