import CloudModel
import CloudSQL

/// A caller's custom roles in the public database. Reads the user's record only if a type grants something to a custom role.
struct CallerRoles {
    private let catalog: Catalog
    private let trace: RequestTrace?
    private let numbers: (_ user: String) throws -> Set<Int64>

    /// Roles in a reader's snapshot.
    init(_ catalog: Catalog, _ memory: RoleMemory.Reader, _ db: SQLConnection, _ trace: RequestTrace? = nil) {
        self.catalog = catalog
        self.trace = trace
        numbers = { try memory.numbers(of: $0, catalog: catalog.version, db) }
    }

    /// Roles in the writer's transaction.
    init(_ transaction: WriteTransaction) {
        catalog = transaction.catalog
        trace = transaction.trace
        numbers = { try transaction.roles.numbers(of: $0, transaction.db) }
    }

    /// The caller's custom roles that may matter for a type with these grants.
    func names(of caller: Caller, for grants: Grants) throws -> Set<String> {
        guard grants.nameCustomRoles, let user = caller.userRecordName else { return [] }
        return try catalog.roleNames(numbers(user))
    }

    /// Returns true if the caller has this permission for a record made by `creator`; nil means a new record.
    func allow(_ permission: Permission, _ grants: Grants, to caller: Caller, creator: String?) throws -> Bool {
        grants.allow(permission, to: caller, roles: try names(of: caller, for: grants), creator: creator)
    }

    /// The reason for refusing a permission; nil if it is granted, which the trace notes.
    ///
    /// - Parameter type: the record type's name; nil if the schema lacks the type.
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
