package import CloudAccounts
package import CloudModel

/// Operations on management tokens, with which programs run these operations.
package enum ManagementTokenOperations {
    package static let list = AdminOperation<PageChoice, Page<ManagementTokenInfo>>(
        .get("management-tokens", .operations), OperationText("listManagementTokens", "The management tokens.")
    ) { call, input in
        let tokens = try await call.accounts.managementTokens.list()
        return try input.page(of: tokens.map { ManagementTokenInfo($0) }, by: \.id)
    }

    /// Makes a management token; only this answer contains its text. A new token cannot exceed its maker's scopes or lifetime:
    /// without `days` it expires with its maker.
    package static let create = AdminOperation<NewManagementToken, ManagementTokenInfo>(
        .post("management-tokens", .operations),
        OperationText(
            "createManagementToken", "Create a management token.",
            "It has no scope that its maker lacks, and ends when its maker does at the latest."),
        audit: .change("created a management token")
    ) { call, input in
        let scopes = input.scopes.isEmpty ? call.identity.scopes : Set(input.scopes)
        try call.identity.require(ManagementScope.allCases.filter(scopes.contains))
        let lifetime = input.days.map { Duration.seconds($0 * 86400) }
        if let lifetime, let end = call.identity.expires, call.accounts.now() + lifetime > end {
            throw ServerError(
                .accessDenied,
                "this management token ends in less than these days, and makes none that lives longer than itself",
                .credentials(.managementTokenWithoutScope))
        }
        let (text, token) = try await call.accounts.managementTokens.create(
            container: input.container, name: input.name, scopes: scopes,
            lifetime: lifetime, endingBy: call.identity.expires, maker: call.identity.maker)
        return ManagementTokenInfo(token, text: text)
    }

    package static let made = AdminOperation<MadeChoice, Page<MadeInfo>>(
        .get("management-tokens/{id}/made", .operations),
        OperationText(
            "listMade", "The valid credentials made by a management token, directly or through credentials it made.",
            "Sessions and operators are listed only with people."),
        audit: .look("looked at what a management token has made")
    ) { call, input in
        let revocation = Revocation(maker: .managementToken(input.id), isDeep: false, call: call)
        let found = revocation.visible(try await revocation.all())
        return try input.page.page(of: found.map(MadeInfo.init)) { ListPlace($0.kind.rawValue, $0.id) }
    }

    package static let revoke = AdminOperation<ManagementTokenRevocation, RevocationInfo>(
        .delete("management-tokens/{id}", .operations),
        OperationText(
            "revokeManagementToken", "Revoke a management token and list the credentials made by it.",
            "`made` also needs people for sessions, and all scopes for operators."),
        audit: .change(revoking)
    ) { call, input in
        let revocation = Revocation(
            maker: .managementToken(input.id), isDeep: input.made, call: call)
        return try await revocation.revoke(revoking) { try await call.accounts.managementTokens.revoke(id: input.id) }
    }

    private static let revoking = "revoked a management token"
}

package struct NewManagementToken: OperationInput {
    package let name: String
    package let container: String?
    /// Empty for the scopes of the maker.
    package let scopes: [ManagementScope]
    package let days: Int64?

    package static let fields = InputFields(
        Self.init, .text("name", \.name, "A name to know it by."),
        .text("container", \.container, "The only container it is for; without this it is for all."),
        .scopes(\.scopes),
        .number("days", \.days, in: 1...36_500, "Days it is good for; without this until it is revoked."))
}

extension InputField where Value == [ManagementScope] {
    fileprivate static func scopes(_ property: InputProperty<Input, Value>) -> Self {
        let known = ManagementScope.allCases.map(\.rawValue)
        let parameter = Parameter(
            name: "scopes", kind: .list(.choice(known), most: 100),
            about:
                "Work it is good for: schema, records:read, records:write, people or operations. Repeat for more; all if none."
        )
        return Self(parameter, property) { arguments in
            try arguments.texts("scopes").map { name throws(ServerError) in
                guard let scope = ManagementScope(rawValue: name) else {
                    throw .badRequest(
                        "scopes: there is no scope '\(Naming.shown(name))'; there are \(known: known.joined(separator: ", "))"
                    )
                }
                return scope
            }
        } json: {
            $0.isEmpty ? nil : .array($0.map { .string($0.rawValue) })
        }
    }
}

package struct MadeChoice: OperationInput {
    package let id: Int64
    package let page: PageChoice

    package static let fields = InputFields(
        Self.init, .id(\.id, "Its id, as the list shows it."), .group(\.page))
}

package struct ManagementTokenRevocation: OperationInput {
    package let id: Int64
    package let made: Bool

    package static let fields = InputFields(
        Self.init, .id(\.id, "Its id, as the list shows it."),
        .flag(
            "made", \.made, "Revoke also the credentials that it made: tokens, keys, webhooks, sessions and operators.")
    )
}

package struct ManagementTokenInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminManagementToken", "A management token.",
        [
            "token": "The token's text, present only in the answer that creates it.",
            "hint": "The first characters of the token's text.",
            "container": "The token's only container; left out for all containers.",
            "madeBy": "The ID of the management token that created this token.",
        ])

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
