/// An action that a role may take on records of one type in the public database (reference A §12).
package enum Permission: String, CaseIterable, Hashable, Sendable {
    case read = "READ"
    case create = "CREATE"
    case write = "WRITE"
}

/// Each role's permissions on a record type. Permissions add up; none denies.
package struct Grants: Hashable, Sendable {
    package static let world = "_world"
    package static let authenticated = "_icloud"
    package static let creator = "_creator"

    /// Returns true for the system's own roles.
    package static func isBuiltIn(_ role: String) -> Bool { [world, authenticated, creator].contains(role) }

    package var permissions: [String: Set<Permission>]

    package init(_ permissions: [String: Set<Permission>]) {
        self.permissions = permissions
    }

    /// The initial grants of a new type (reference A §12).
    package static let standard = Grants([world: [.read], authenticated: [.create], creator: [.write]])
    /// The built-in `Users` type: records are created by the server and written by their own user.
    package static let users = Grants([world: [.read], creator: [.write]])

    /// True if a custom role is granted anything.
    package var nameCustomRoles: Bool {
        permissions.contains { !Self.isBuiltIn($0.key) && !$0.value.isEmpty }
    }

    /// Returns true if `caller` has the permission on a record made by `creator`; nil for a new record.
    ///
    /// - Parameter roles: the names of the caller's custom roles; empty for an anonymous caller.
    package func allow(
        _ permission: Permission, to caller: Caller, roles: Set<String>, creator: String?
    ) -> Bool {
        caller == .operator || role(for: permission, of: caller, roles: roles, creator: creator) != nil
    }

    /// The role that gives `caller` the permission; nil without such a role.
    package func role(
        for permission: Permission, of caller: Caller, roles: Set<String>, creator: String?
    ) -> String? {
        let isGranted = { (role: String) in permissions[role]?.contains(permission) == true }
        if isGranted(Self.world) { return Self.world }
        guard let user = caller.userRecordName else { return nil }
        if isGranted(Self.authenticated) { return Self.authenticated }
        if user == creator && isGranted(Self.creator) { return Self.creator }
        return roles.sorted().first(where: isGranted)
    }

    /// Nil if allowed; otherwise the error. An anonymous caller is asked to sign in (reference A §12).
    package func refusal(
        _ permission: Permission, to caller: Caller, roles: Set<String>, creator: String?
    ) -> ServerError? {
        if allow(permission, to: caller, roles: roles, creator: creator) { return nil }
        if caller.userRecordName == nil {
            return ServerError(.authenticationRequired, "request needs authorization", .credentials(.notSignedIn))
        }
        let granted = permissions.filter { $0.value.contains(permission) }.keys.sorted()
        let isCreator = creator != nil && creator == caller.userRecordName
        let check = PermissionCheck(
            permission, roles: [Self.authenticated] + (isCreator ? [Self.creator] : []) + roles.sorted(),
            granted: granted)
        return ServerError(
            .accessDenied, "\(known: permission.rawValue) operation not permitted", .permission(check))
    }
}
