import CloudModel
import CloudSQL

/// The custom roles that count for a caller in the public database. A user's record is looked at only when a type
/// grants something to a custom role.
struct CallerRoles {
    private let catalog: Catalog
    private let numbers: (_ user: String) throws -> Set<Int64>

    /// As a reader sees them.
    init(_ catalog: Catalog, _ memory: RoleMemory.Reader, _ db: SQLConnection) {
        self.catalog = catalog
        numbers = { try memory.numbers(of: $0, catalog: catalog.version, db) }
    }

    /// As the writer sees them.
    init(_ transaction: WriteTransaction) {
        catalog = transaction.catalog
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

    /// Nil when it is allowed; else why not.
    func refusal(
        _ permission: Permission, _ grants: Grants, to caller: Caller, creator: String?
    ) throws -> ServerError? {
        grants.refusal(permission, to: caller, roles: try names(of: caller, for: grants), creator: creator)
    }
}
