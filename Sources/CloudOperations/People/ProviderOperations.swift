package import CloudAccounts
import CloudIdentity
package import CloudModel

/// Operations on the providers that people sign in at. Who adds or changes one decides who gets which account, and who removes
/// one takes away the roles that its groups gave to operators, so these need every scope.
package enum ProviderOperations {
    package static let list = AdminOperation<PageChoice, Page<ProviderInfo>>(
        .get("providers", .operations), OperationText("listProviders", "The providers of sign-in, by name.")
    ) { call, input in
        let providers = try await call.accounts.providers.all()
        return try input.page(of: providers.map(ProviderInfo.init)) { $0.name }
    }

    package static let add = AdminOperation<NewProvider, ProviderInfo>(
        .post("providers", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText("addProvider", "Let people sign in at a provider.", "The secret is never answered."),
        audit: .change("added a provider of sign-in")
    ) { call, input in
        let options = input.options
        var provider = SignInProvider(
            name: input.name, kind: input.kind, clientID: input.clientID, issuer: options.issuer)
        try options.apply(to: &provider)
        return ProviderInfo(
            try await call.accounts.providers.add(provider, secret: ProviderSecret(input.secret)))
    }

    package static let update = AdminOperation<ProviderChange, ProviderInfo>(
        .put("providers/{name}", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText(
            "updateProvider", "Change a provider.",
            "What is left out stays. An issuer at another host or port, or without TLS, needs the secret again."),
        audit: .change("changed a provider of sign-in")
    ) { call, input in
        let (_, changed) = try await call.accounts.providers.update(
            name: input.name, secret: input.secret.map { ProviderSecret($0) }
        ) { provider in
            if let issuer = input.options.issuer { provider.issuer = issuer }
            if let client = input.clientID { provider.clientID = client }
            try input.options.apply(to: &provider)
        }
        try await call.takeWithdrawnRoles()
        return ProviderInfo(changed)
    }

    package static let remove = AdminOperation<ProviderChoice, Done>(
        .delete("providers/{name}", .schema, .recordsRead, .recordsWrite, .people, .operations),
        OperationText(
            "removeProvider", "Let nobody sign in at a provider any more.",
            "Accounts stay connected for a provider of the same issuer. Roles that its groups gave go."),
        audit: .change("removed a provider of sign-in")
    ) { call, input in
        try await call.accounts.providers.remove(name: input.name)
        try await call.takeWithdrawnRoles()
        return Done()
    }

    package static let test = AdminOperation<ProviderChoice, ProviderTestInfo>(
        .post("providers/{name}/test", .operations),
        OperationText("testProvider", "Ask a provider for all that a sign-in needs, and say what is wrong.")
    ) { call, input in
        let provider = try await call.accounts.providers.require(name: input.name)
        return ProviderTestInfo(name: provider.name, steps: await call.workplace.examine(provider))
    }
}

/// What an operator may set about a provider; nil and empty lists leave a setting as it is.
package struct ProviderOptions: OperationInput {
    package let title: String?
    package let issuer: String?
    package let clientAuthentication: ProviderAuthentication?
    package let scopes: [String]
    package let allowsHTTP: Bool?
    package let trustsAddresses: Bool?
    package let startsAtOnce: Bool?
    package let admission: SignInAdmission.Kind?
    package let admitted: [String]
    package let groupsClaim: String?
    package let roles: [String]
    package let nativeAudiences: [String]
    package let tenants: [String]
    package let team: String?
    package let keyID: String?

    package static let fields = InputFields(
        Self.init, .text("title", \.title, "The text of the button; the kind's name without."),
        .text(
            "issuer", \.issuer,
            "The issuer's URL, as the provider prints it; not for Google, Microsoft, Apple and GitHub."),
        .choice(
            "clientAuthentication", \.clientAuthentication,
            "How the server proves to be the client: as the provider offers (discovered), or by one method."),
        .texts("scopes", \.scopes, "Scopes to ask for; those of the kind without."),
        .flag("allowsHTTP", \.allowsHTTP, "Whether the provider's URLs may be without TLS."),
        .flag("trustsAddresses", \.trustsAddresses, "Whether a confirmed address of the provider proves its owner."),
        .flag("startsAtOnce", \.startsAtOnce, "Whether the sign-in page leads to the provider without a click."),
        .choice("admission", \.admission, "Who may come in without an account; everybody without."),
        .texts("admitted", \.admitted, "The domains or groups that may come in."),
        .text("groupsClaim", \.groupsClaim, "The claim with the groups of a person; groups without."),
        .texts(
            "roles", \.roles,
            "Roles that groups give: GROUP=operator/viewer, or GROUP=CONTAINER/ENVIRONMENT/ROLE; '-' alone for none."),
        .texts(
            "nativeAudiences", \.nativeAudiences,
            "Client ids and bundle ids of apps whose identity tokens are accepted; '-' alone for none."),
        .texts("tenants", \.tenants, "Ids of Microsoft's tenants that may come in."),
        .text("team", \.team, "Apple's team id."), .text("keyID", \.keyID, "Apple's id of the key."))

    /// The issuer is set by the caller.
    fileprivate func apply(to provider: inout SignInProvider) throws(ServerError) {
        if !roles.isEmpty { provider.roles = try groupRoles() }
        if let title { provider.title = title }
        if let clientAuthentication { provider.clientAuthentication = clientAuthentication.method }
        if !scopes.isEmpty { provider.scopes = scopes }
        if let allowsHTTP { provider.allowsHTTP = allowsHTTP }
        if let trustsAddresses { provider.trustsAddresses = trustsAddresses }
        if let startsAtOnce { provider.startsAtOnce = startsAtOnce }
        if admission != nil || !admitted.isEmpty {
            let old = provider.admission
            let kind = admission ?? old.kind
            provider.admission = SignInAdmission(
                kind: kind, names: admitted.isEmpty && kind == old.kind ? old.names : admitted)
        }
        if let groupsClaim { provider.groupsClaim = groupsClaim }
        if !nativeAudiences.isEmpty { provider.nativeAudiences = nativeAudiences == ["-"] ? [] : nativeAudiences }
        if !tenants.isEmpty { provider.tenants = tenants }
        if team != nil || keyID != nil {
            provider.appleKey = SignInProvider.AppleKeyName(
                team: team ?? provider.appleKey?.team ?? "", key: keyID ?? provider.appleKey?.key ?? "")
        }
    }
}

extension ProviderOptions {
    private func groupRoles() throws(ServerError) -> [GroupRole] {
        guard roles != ["-"] else { return [] }
        var found: [GroupRole] = []
        for text in roles {
            guard let role = GroupRole(text) else {
                throw .badRequest(
                    "roles: '\(Naming.shown(text))' is neither GROUP=operator/viewer, /editor or /owner nor "
                        + "GROUP=CONTAINER/ENVIRONMENT/ROLE")
            }
            found.append(role)
        }
        return found
    }
}

/// How the server proves to be the client.
package enum ProviderAuthentication: String, CaseIterable, Codable, Sendable {
    /// As the provider's discovery document says.
    case discovered
    case basic, post

    fileprivate var method: DiscoveryDocument.ClientAuthentication? {
        switch self {
        case .discovered: nil
        case .basic: .basic
        case .post: .post
        }
    }

    fileprivate init(_ method: DiscoveryDocument.ClientAuthentication?) {
        switch method {
        case nil: self = .discovered
        case .basic: self = .basic
        case .post: self = .post
        }
    }
}

package struct NewProvider: OperationInput {
    package let name: String
    package let kind: SignInProvider.Kind
    package let clientID: String
    package let secret: String
    package let options: ProviderOptions

    package static let fields = InputFields(
        Self.init,
        .text("name", \.name, "A name of a-z, 0-9 and -, which the provider's redirect address ends with."),
        .choice("kind", \.kind, "The product; oidc for another provider of OpenID Connect."),
        .text("clientID", \.clientID, "The id that the provider gave to this server."),
        .text(
            "secret", \.secret, "The client secret, or the text of Apple's .p8 file.",
            atMost: ProviderLimits.secret), .group(\.options))
}

package struct ProviderChange: OperationInput {
    package let name: String
    package let clientID: String?
    package let secret: String?
    package let options: ProviderOptions

    package static let fields = InputFields(
        Self.init, .text("name", \.name, "The provider's name."),
        .text("clientID", \.clientID, "The id that the provider gave to this server."),
        .text(
            "secret", \.secret,
            "Another client secret, or the text of another .p8 file of Apple's. It is never answered."),
        .group(\.options))
}

package struct ProviderChoice: OperationInput {
    package let name: String

    package static let fields = InputFields(Self.init, .text("name", \.name, "The provider's name."))
}

package struct ProviderInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminProvider", "A provider of sign-in.",
        [
            "issuer": "What identities are connected under; at Microsoft with the place of the tenant.",
            "hasSecret": "Whether a client secret is kept, which is never answered.",
            "redirectPath": "The path of the redirect address that the provider has to know.",
            "clientAuthentication": "How the server proves to be the client.",
            "admission": "Who may come in without an account.",
            "admitted": "The domains or groups that may come in.",
            "roles": "Roles that groups give, read again at each sign-in.",
            "keyID": "Apple's id of the key.",
        ])

    package let name: String
    package let kind: SignInProvider.Kind
    package let title: String
    package let issuer: String
    package let clientID: String
    package let hasSecret: Bool
    package let redirectPath: String
    package let clientAuthentication: ProviderAuthentication
    package let scopes: [String]
    package let allowsHTTP: Bool
    package let trustsAddresses: Bool
    package let startsAtOnce: Bool
    package let admission: SignInAdmission.Kind
    package let admitted: [String]
    package let groupsClaim: String
    package let roles: [String]
    package let nativeAudiences: [String]
    package let tenants: [String]
    package let team: String?
    package let keyID: String?
    package let created: Timestamp

    init(_ provider: SignInProvider) {
        name = provider.name
        kind = provider.kind
        title = provider.title
        issuer = provider.issuer
        clientID = provider.clientID
        hasSecret = true
        redirectPath = provider.callbackPath
        clientAuthentication = ProviderAuthentication(provider.clientAuthentication)
        scopes = provider.scopes
        allowsHTTP = provider.allowsHTTP
        trustsAddresses = provider.trustsAddresses
        startsAtOnce = provider.startsAtOnce
        admission = provider.admission.kind
        admitted = provider.admission.names
        groupsClaim = provider.groupsClaim
        roles = provider.roles.map(\.text)
        nativeAudiences = provider.nativeAudiences
        tenants = provider.tenants
        team = provider.appleKey?.team
        keyID = provider.appleKey?.key
        created = provider.created
    }

    /// Issuer, `allowsHTTP` and roles decide whom the server believes what.
    package var auditSubject: String? {
        let given = roles.joined(separator: " ").prefix(400)
        return "\(name) \(issuer)" + (allowsHTTP ? " allowsHTTP" : "") + (given.isEmpty ? "" : " roles \(given)")
    }

    /// Who may come in, in words.
    package var admits: String {
        admitted.isEmpty ? admission.rawValue : "\(admission.rawValue): \(admitted.joined(separator: ", "))"
    }
}

/// One check of a provider.
package struct ProviderStep: Codable, Hashable, DocumentedValue {
    package enum Outcome: String, CaseIterable, Codable, Sendable {
        case good, wrong
        /// The provider does not tell.
        case unknown
    }

    package static let about = AnswerText(
        "AdminProviderStep", "One check of a provider.",
        ["remedy": "What to do; left out where nothing is wrong."])

    package let name: String
    package let outcome: Outcome
    package let text: String
    package let remedy: String?

    package init(_ name: String, _ outcome: Outcome, _ text: String, remedy: String? = nil) {
        (self.name, self.outcome, self.text, self.remedy) = (name, outcome, text, remedy)
    }
}

package struct ProviderTestInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText("AdminProviderTest", "The checks of a provider, in their order.")

    package let name: String
    package let steps: [ProviderStep]

    /// True if nothing is known to be wrong.
    package var isGood: Bool { !steps.contains { $0.outcome == .wrong } }
}
