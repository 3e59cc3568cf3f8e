import CloudModel
import CloudSQL

/// The custom roles that count for a caller in the public database. A user's record is looked at only when a type
/// grants something to a custom role.
struct CallerRoles {
    private let catalog: Catalog
    private let trace: RequestTrace?
    private let numbers: (_ user: String) throws -> Set<Int64>

    /// As a reader sees them.
    init(_ catalog: Catalog, _ memory: RoleMemory.Reader, _ db: SQLConnection, _ trace: RequestTrace? = nil) {
        self.catalog = catalog
        self.trace = trace
        numbers = { try memory.numbers(of: $0, catalog: catalog.version, db) }
    }

    /// As the writer sees them.
    init(_ transaction: WriteTransaction) {
        catalog = transaction.catalog
        trace = transaction.trace
        numbers = { try transaction.roleNumbers(of: $0) }
    }

    /// Those of a caller that may matter for a type with these grants.
    func names(of caller: Caller, for grants: Grants) throws -> Set<String> {
        guard grants.nameCustomRoles, let user = caller.userRecordName else { return [] }
        return try catalog.roleNames(numbers(user))
    }

    /// Returns true if the caller may do this to a record made by `creator`; nil stands for a record that is not there
    /// yet.
    func allow(_ permission: Permission, _ grants: Grants, to caller: Caller, creator: String?) throws -> Bool {
        grants.allow(permission, to: caller, roles: try names(of: caller, for: grants), creator: creator)
    }

    /// Nil when it is allowed, which the trail is told; else why not.
    ///
    /// - Parameter type: the name of the record type, when it is in the schema.
    func refusal(
        _ permission: Permission, _ grants: Grants, to caller: Caller, creator: String?, type: String? = nil
    ) throws -> ServerError? {
        let names = try names(of: caller, for: grants)
        if let role = grants.role(for: permission, of: caller, roles: names, creator: creator) {
            trace?.note(.permission(permission, type: type, role: role))
            return nil
        }
        guard let refusal = grants.refusal(permission, to: caller, roles: names, creator: creator) else { return nil }
        guard case .permission(var check) = refusal.cause else { return refusal }
        check.recordType = type
        return refusal.because(.permission(check))
    }
}
