package import CloudModel

/// Who has which custom role in one environment of a container (reference A §12).
package protocol RoleStore: Sendable {
    /// The custom roles of a user, by name; none for a user who is not there.
    func roles(of user: String) async throws -> Set<String>

    /// Users who have custom roles, by record name: a page of those after a name.
    func roleMembers(after name: String, limit: Int) async throws -> [RoleMember]

    /// Gives a user a custom role or takes it away; one that is so already changes nothing.
    ///
    /// - Throws: `NOT_FOUND` for a role that the schema does not have.
    func setRole(_ role: String, of user: String, to isGranted: Bool, limits: Limits) async throws -> RoleMember
}

/// A user and the custom roles they have, by name.
package struct RoleMember: Hashable, Sendable {
    package let userRecordName: String
    package let roles: [String]

    package init(userRecordName: String, roles: [String]) {
        self.userRecordName = userRecordName
        self.roles = roles
    }
}

extension SQLiteRecordStore {
    package func roles(of user: String) async throws -> Set<String> {
        let (catalog, memory) = (catalog, roleMemory.reader())
        return try await reads.read(.small) { db, _ in
            try catalog.roleNames(memory.numbers(of: user, catalog: catalog.version, db))
        }
    }

    package func roleMembers(after name: String, limit: Int) async throws -> [RoleMember] {
        let catalog = catalog
        return try await reads.read { db, _ in
            try UserRoles.members(after: name, limit: limit, catalog: catalog, db)
        }
    }

    package func setRole(
        _ role: String, of user: String, to isGranted: Bool, limits: Limits
    ) async throws -> RoleMember {
        try await ensureUser(user)
        let change = RoleChange(
            role: role, user: user, isGranted: isGranted, now: now(), indexing: indexing, limits: limits)
        return try await writes.write { try change.run($0) }
    }
}
