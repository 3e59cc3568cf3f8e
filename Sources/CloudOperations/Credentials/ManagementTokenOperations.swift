package import CloudModel
package import CloudStore

/// The tokens that operators' programs run these operations with.
package enum ManagementTokenOperations {
    package static let list = AdminOperation<Page<ManagementTokenInfo>>(
        .get, "management-tokens", .operations, takes: ["after", "limit"]
    ) { call in
        let tokens = try await call.accounts.managementTokens()
        return try call.arguments.page(of: tokens.map { ManagementTokenInfo($0) }) { String($0.id) }
    }

    /// Makes a management token; its text is in this answer alone. Nobody makes one that may do more than they may.
    package static let create = AdminOperation<ManagementTokenInfo>(
        .post, "management-tokens", .operations, takes: ["name", "container", "scopes", "days"],
        audit: .change("created a management token")
    ) { call in
        let arguments = call.arguments
        let named = try arguments.texts("scopes")
        let scopes = named.isEmpty ? call.identity.scopes : try Set(named.map(scope))
        try call.identity.require(ManagementScope.allCases.filter(scopes.contains))
        let days = try arguments.number("days", in: 1...36_500)
        let (text, token) = try await call.accounts.createManagementToken(
            container: try arguments.optionalText("container"), name: try arguments.text("name"), scopes: scopes,
            lifetime: days.map { .seconds($0 * 86400) })
        return ManagementTokenInfo(token, text: text)
    }

    package static let revoke = AdminOperation<Done>(
        .delete, "management-tokens/{id}", .operations, audit: .change("revoked a management token")
    ) { call in
        try await call.accounts.revokeManagementToken(id: try call.arguments.id())
        return Done()
    }

    private static func scope(_ name: String) throws(ServerError) -> ManagementScope {
        guard let scope = ManagementScope(rawValue: name) else {
            let known = ManagementScope.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("scopes: there is no scope '\(Naming.shown(name))'; there are \(known: known)")
        }
        return scope
    }
}

package struct ManagementTokenInfo: Codable, Hashable, Sendable {
    package let id: Int64
    /// The text, where it has just been made.
    package let token: String?
    /// The first characters of its text.
    package let hint: String
    /// The only container it is for; nil for all.
    package let container: String?
    package let name: String
    package let scopes: [ManagementScope]
    package let created: Timestamp
    package let expires: Timestamp?

    init(_ token: ManagementToken, text: String? = nil) {
        id = token.id
        self.token = text
        hint = token.hint
        container = token.container
        name = token.name
        scopes = ManagementScope.allCases.filter(token.scopes.contains)
        created = token.created
        expires = token.expires
    }
}
