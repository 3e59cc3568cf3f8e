import CloudAccounts
import CloudHTTP
import CloudModel
import CloudWire

/// `POST /account/ways`: gives a proof before a provider is added, or disconnects an identity.
package enum AccountWays {
    package static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else { return AccountPage.signIn(back: "/account") }
        do {
            switch call.form["do"] {
            case "prove":
                guard try await call.site.hasPassword(account) else {
                    throw PageError(
                        .unauthorized, Phrase("account.title"), Phrase("ways.again"), .credentials(.password))
                }
                try await call.requirePassword(of: account, in: "current")
                var response = Response.seeOther("/account")
                response.setCookie(call.proofCookie(for: account))
                return response
            case "disconnect":
                _ = try await call.site.accounts.identities.disconnect(
                    call.form.text("identity", atMost: 64), from: account.id,
                    countsPassword: call.site.takesPasswords)
                try await call.site.wire.takeWithdrawnRoles(of: account.id)
                return .seeOther("/account")
            default: throw ServerError.badRequest("do must be 'prove' or 'disconnect'")
            }
        } catch let error as ServerError where error.code == .conflict {
            let problem = PageError(.conflict, Phrase("account.title"), Phrase("ways.last"), error.cause)
            return try await AccountPage.page(call, account, problem: problem)
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try await AccountPage.page(call, account, problem: problem)
        }
    }
}

/// The providers of an account's page.
package struct AccountProviders: PageView {
    package let identities: [Identity]
    /// Providers to connect; nil without a fresh proof.
    package let offers: [Offer]
    /// Whether the password is asked for before a provider is added.
    package let asksPassword: Bool
    /// True if adding a provider needs a fresh sign-in at a connected provider.
    package let asksSignIn: Bool

    package struct Identity: PageView {
        package let key: String
        package let title: String
        package let told: String
        package let used: String
    }

    package struct Offer: PageView {
        package let title: String
        package let address: String
    }

    /// - Returns: nil without providers and identities.
    static func all(_ call: PageCall, _ account: UserAccount) async throws -> AccountProviders? {
        let known = try await call.site.accounts.identities.all(of: account)
        let providers = try await call.site.accounts.providers.all()
        guard !known.isEmpty || !providers.isEmpty else { return nil }
        let titles = Dictionary(providers.map { ($0.name, $0.title) }, uniquingKeysWith: { first, _ in first })
        let isFresh = call.hasFreshProof(of: account)
        let hasPassword = account.hasPassword && call.site.takesPasswords
        return AccountProviders(
            identities: known.map {
                Identity(
                    key: $0.key, title: titles[$0.provider] ?? $0.provider, told: $0.email ?? "",
                    used: call.language.time($0.lastUsed))
            },
            offers: isFresh
                ? providers.map { Offer(title: $0.title, address: ConnectLink.address($0, account, call)) } : [],
            asksPassword: !providers.isEmpty && !isFresh && hasPassword,
            asksSignIn: !providers.isEmpty && !isFresh && !hasPassword)
    }
}
