/// The roles considered in a permission check.
package struct PermissionCheck: Hashable, Sendable {
    package let permission: Permission
    /// The caller's roles.
    package let roles: [String]
    /// Roles that have the permission.
    package let granted: [String]
    package var recordType: String?

    package init(_ permission: Permission, roles: [String], granted: [String], recordType: String? = nil) {
        self.permission = permission
        self.roles = roles
        self.granted = granted
        self.recordType = recordType
    }

    package var text: String {
        let granted = granted.isEmpty ? "nobody" : granted.joined(separator: ", ")
        let type = recordType.map { " on '\($0)'" } ?? ""
        return "\(permission.rawValue)\(type) is granted to \(granted); the caller is "
            + (roles.isEmpty ? "none of these" : roles.joined(separator: ", "))
    }
}
