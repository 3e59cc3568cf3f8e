import CloudModel
import CloudStore

/// A fault that a test injects into a call; the rest of the call runs normally.
struct CallFault: Hashable, Sendable {
    /// The index of the operation or zone in the batch that fails.
    var operation: Int?
    /// The error of the failing operation.
    var error: ServerError?
    /// The most records per page; nil for the normal limit.
    var pageSize: Int?
    /// Whether sync tokens are refused as if expired.
    var refusesSyncTokens = false
    /// Whether the connection closes before the answer.
    var isUnheard = false

    init() {}

    /// Nil for an object without members for call faults.
    ///
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    init?(_ object: JSONObject) throws {
        operation = try EmulatorMember.integer("operation", of: object, in: 0...9_999)
        guard operation == nil || object["error"] != nil else {
            throw ServerError.badRequest("operation: is for a fault with error only, which that operation gets")
        }
        pageSize = try EmulatorMember.integer("pageSize", of: object, in: 1...9_999)
        refusesSyncTokens = try EmulatorMember.choice("syncToken", of: object, ["refused"]) != nil
        if operation == nil, pageSize == nil, !refusesSyncTokens { return nil }
    }

    /// Throws for a request with a sync token if the fault refuses sync tokens.
    func refuse(syncToken: String?) throws(ServerError) {
        if refusesSyncTokens, syncToken != nil { throw SyncTokens.unknown }
    }

    func refuse(in operations: inout [Result<RecordOperation, RecordOperation.Refused>]) {
        guard let operation, let error, operations.indices.contains(operation),
            case .success(let parsed) = operations[operation]
        else { return }
        operations[operation] = .failure(.init(recordName: parsed.recordName, error: error))
    }
}
