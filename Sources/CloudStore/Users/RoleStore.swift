package import CloudModel

/// Custom roles of users in one environment of a container (reference A §12).
package struct RoleStore: Sendable {
    let stored: StoredEnvironment

    /// The reason why a caller may save no records of one of these types in the public database, neither new records nor the
    /// caller's own; nil if allowed. A type of nil is checked like a new type.
    package func refusal(ofSaving types: [String?], as caller: Caller) async throws -> ServerError? {
        let (published, memory) = (stored.published, stored.roleMemory.reader())
        return try await stored.reads.read(.small) { db in
            let catalog = try published.current(db)
            let roles = CallerRoles(catalog, memory, db)
            for type in Set(types) {
                let grants = type.flatMap { catalog.types[$0]?.grants } ?? .standard
                if try roles.allow(.write, grants, to: caller, creator: caller.userRecordName) { continue }
                if let refusal = try roles.refusal(.create, grants, to: caller, creator: nil) { return refusal }
            }
            return nil
        }
    }

    /// A page of users with custom roles, sorted by record name.
    ///
    /// - Parameter name: only users after this record name.
    package func members(after name: String, limit: Int) async throws -> [RoleMember] {
        let published = stored.published
        return try await stored.reads.read { db in
            try UserRoles.members(after: name, limit: limit, catalog: published.current(db), db)
        }
    }

    /// Whether a user has a custom role; false for an unknown role.
    package func has(_ role: String, _ user: String) async throws -> Bool {
        let published = stored.published
        return try await stored.reads.read(.small) { db in
            guard let number = try published.current(db).roles.first(where: { $0.value == role })?.key else {
                return false
            }
            return try UserRoles.numbers(of: user, db).contains(number)
        }
    }

    /// Grants a custom role to a user or revokes it; does nothing if the user's roles already match.
    ///
    /// - Throws: `NOT_FOUND` for an unknown role.
    package func set(
        _ role: String, of user: String, to isGranted: Bool, limits: Limits
    ) async throws -> RoleMember {
        try await UserStore(stored: stored).ensure(user)
        let change = RoleChange(
            role: role, user: user, isGranted: isGranted, now: stored.now(), limits: limits)
        return try await stored.writes.write(for: stored.ownContext) { try change.run($0) }
    }
}

/// A user with the names of the user's custom roles.
package struct RoleMember: Hashable, Sendable {
    package let userRecordName: String
    package let roles: [String]
    /// The email address of the user's account; nil without a lookup or an account.
    package var email: String?

    package init(userRecordName: String, roles: [String], email: String? = nil) {
        self.userRecordName = userRecordName
        self.roles = roles
        self.email = email
    }
}
