import CloudModel

/// What a test wants to go wrong inside a call, which is carried out all the same.
struct CallFault: Hashable, Sendable {
    /// The operation of a batch that is refused, by its index.
    var operation: Int?
    /// Of that operation.
    var error: ServerError?
    /// The most records of a page; nil for as many as ever.
    var pageSize: Int?
    /// Whether the connection is closed before the answer.
    var isUnheard = false

    func limits(_ limits: Limits) -> Limits {
        var limits = limits
        if let pageSize { limits.recordsPerResponse = min(pageSize, limits.recordsPerResponse) }
        return limits
    }

    func refuse(in operations: inout [Result<RecordOperation, RecordOperation.Refused>]) {
        guard let operation, let error, operations.indices.contains(operation),
            case .success(let parsed) = operations[operation]
        else { return }
        operations[operation] = .failure(.init(recordName: parsed.recordName, error: error))
    }
}
