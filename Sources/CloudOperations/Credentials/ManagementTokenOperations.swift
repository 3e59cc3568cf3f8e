package import CloudModel
package import CloudStore

/// Operations on management tokens, with which programs run these operations.
package enum ManagementTokenOperations {
    package static let list = AdminOperation<Page<ManagementTokenInfo>>(
        .get, "management-tokens", .operations, takes: ["after", "limit"]
    ) { call in
        let tokens = try await call.accounts.managementTokens.list()
        return try call.arguments.page(of: tokens.map { ManagementTokenInfo($0) }, by: \.id)
    }

    /// Makes a management token; only this answer contains its text. A new token cannot exceed its maker's scopes or lifetime:
    /// without `days` it expires with its maker.
    package static let create = AdminOperation<ManagementTokenInfo>(
        .post, "management-tokens", .operations, takes: ["name", "container", "scopes", "days"],
        audit: .change("created a management token")
    ) { call in
        let arguments = call.arguments
        let named = try arguments.texts("scopes")
        let scopes = named.isEmpty ? call.identity.scopes : try Set(named.map(scope))
        try call.identity.require(ManagementScope.allCases.filter(scopes.contains))
        let lifetime = try arguments.number("days", in: 1...36_500).map { Duration.seconds($0 * 86400) }
        if let lifetime, let end = call.identity.expires, call.accounts.now() + lifetime > end {
            throw ServerError(
                .accessDenied,
                "this management token ends in less than these days, and makes none that lives longer than itself",
                .credentials(.managementTokenWithoutScope))
        }
        let (text, token) = try await call.accounts.managementTokens.create(
            container: try arguments.optionalText("container"), name: try arguments.text("name"), scopes: scopes,
            lifetime: lifetime, endingBy: call.identity.expires, maker: call.identity.maker)
        return ManagementTokenInfo(token, text: text)
    }

    /// The credentials made by a management token, directly or through credentials it made. Sessions and operators are listed
    /// only with the scope `people`.
    package static let made = AdminOperation<Page<MadeInfo>>(
        .get, "management-tokens/{id}/made", .operations, takes: ["after", "limit"],
        audit: .look("looked at what a management token has made")
    ) { call in
        let maker = CredentialMaker.managementToken(try call.arguments.id())
        let revocation = Revocation(maker: maker, call: call)
        let found = revocation.visible(try await revocation.all())
        return try call.arguments.page(of: found.map(MadeInfo.init)) { ListPlace($0.kind.rawValue, $0.id) }
    }

    /// Revokes a management token and lists the credentials made by it; the argument `made` revokes those too.
    package static let revoke = AdminOperation<RevocationInfo>(
        .delete, "management-tokens/{id}", .operations, takes: ["made"], audit: .change(revoking)
    ) { call in
        let id = try call.arguments.id()
        return try await Revocation(maker: .managementToken(id), call: call).revoke(revoking) {
            try await call.accounts.managementTokens.revoke(id: id)
        }
    }

    private static let revoking = "revoked a management token"

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
    /// The token's text, present only in the answer that creates it.
    package let token: String?
    /// The first characters of the token's text.
    package let hint: String
    /// The token's only container; nil for all containers.
    package let container: String?
    package let name: String
    package let scopes: [ManagementScope]
    package let created: Timestamp
    package let expires: Timestamp?
    /// The ID of the management token that created this token; nil if a person created it.
    package let madeBy: Int64?

    init(_ token: ManagementToken, text: String? = nil) {
        id = token.id
        self.token = text
        hint = token.hint
        container = token.container
        name = token.name
        scopes = ManagementScope.allCases.filter(token.scopes.contains)
        created = token.created
        expires = token.expires
        madeBy = token.maker
    }
}
