import CloudModel

/// Checks the caller's permissions before any answer that could reveal whether a record exists.
extension Batch {
    /// Checks permission in the public database, by type of operation.
    ///
    /// - Parameters:
    ///   - live: the existing record; nil without one.
    ///   - type: the existing record's type.
    /// - Throws: the refusal (reference A §12).
    func requirePermission(for operation: RecordOperation, live: StoredRecord?, _ type: RecordType?) throws {
        guard isPublic else { return }
        switch operation.type {
        case .create: try requireCreation(operation)
        case .forceUpdate where live == nil, .forceReplace where live == nil: try requireCreation(operation)
        default:
            guard let live, let type else { return try requireWriting(operation) }
            try allow(.write, type.grants, creator: live.creator, type: type.name)
        }
    }

    /// Returns true if the caller may read a record of the public database after writing it.
    func mayRead(_ type: RecordType, _ live: StoredRecord) throws -> Bool {
        try !isPublic
            || CallerRoles(transaction).allow(.read, type.grants, to: context.request.caller, creator: live.creator)
    }

    private func requireCreation(_ operation: RecordOperation) throws {
        guard let type = operation.recordType else {
            throw ServerError.badRequest("recordType is required to create a record")
        }
        let known = transaction.catalog.types[type]
        try allow(.create, known?.grants ?? .standard, creator: nil, type: known?.name)
    }

    /// Checks writing to a missing record as if the caller had created it, of the operation's type or of any type.
    private func requireWriting(_ operation: RecordOperation) throws {
        let user = context.request.caller.userRecordName
        if let type = operation.recordType {
            let known = transaction.catalog.types[type]
            return try allow(.write, known?.grants ?? .standard, creator: user, type: known?.name)
        }
        let roles = CallerRoles(transaction)
        for type in transaction.catalog.types.values
        where try roles.allow(.write, type.grants, to: context.request.caller, creator: user) { return }
        try allow(.write, .standard, creator: user)
    }

    private func allow(
        _ permission: Permission, _ grants: Grants, creator: String?, type: String? = nil
    ) throws {
        let refusal = try CallerRoles(transaction).refusal(
            permission, grants, to: context.request.caller, creator: creator, type: type)
        if let refusal { throw refusal }
    }
}
