import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel

/// A change to a person's own passkeys, chosen by the form field `do`.
enum PasskeyChange: String {
    case add
    case rename
    case remove
    /// Proves who is at the browser, for ten minutes.
    case prove

    /// `POST /account/passkeys/options`: a challenge for a new passkey, or for a proof.
    static let options: PageEndpoint = { call in
        try await call.passkeys.options {
            try call.requireOwnForm()
            let options = PasskeyOptions(rules: try call.passkeys.rules())
            guard let account = try await call.session()?.account else {
                throw PageError(.unauthorized, key: "refused.signIn", .credentials(.notSignedIn))
            }
            let known = try await call.site.accounts.passkeys.all(of: account)
            if call.form["do"] == PasskeyChange.prove.rawValue {
                let challenge = call.passkeys.challenge(.prove, account: account)
                return (challenge, options.request(challenge: challenge.bytes, allowed: known.map(\.known)), nil)
            }
            let proof = try await call.requireFreshProof(of: account, orPasswordIn: "password")
            guard known.count < Passkey.mostPerAccount else { throw problem(.tooMany, "passkey.tooMany") }
            let challenge = call.passkeys.challenge(.add, account: account)
            let creation = options.creation(
                challenge: challenge.bytes, siteName: options.siteName,
                userHandle: try await call.site.accounts.passkeys.userHandle(of: account),
                name: account.email ?? account.displayName(in: call.language),
                displayName: account.displayName(in: call.language), existing: known.map(\.known))
            return (challenge, creation, proof)
        }
    }

    /// `POST /account/passkeys`.
    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else { return AccountPage.signIn(back: "/account") }
        guard let change = call.form["do"].flatMap(PasskeyChange.init) else {
            throw ServerError.badRequest("do must be 'add', 'rename', 'remove' or 'prove'")
        }
        do {
            var response = Response.seeOther("/account#passkeys")
            if let cookie = try await change.apply(to: account, call) { response.setCookie(cookie) }
            return response
        } catch let error as ServerError where error.code == .badRequest {
            return try await AccountPage.page(call, account, problem: PageError(error))
        } catch let error as ServerError where error.cause == .credentials(.lastWayIn) {
            let problem = PageError(.conflict, Phrase("account.title"), Phrase("passkey.lastWayIn"), error.cause)
            return try await AccountPage.page(call, account, problem: problem)
        } catch let problem as PageError where problem.status != .notFound {
            return try await AccountPage.page(call, account, problem: problem)
        }
    }

    /// - Returns: a cookie to set.
    private func apply(to account: UserAccount, _ call: PageCall) async throws -> Cookie? {
        let passkeys = call.site.accounts.passkeys
        switch self {
        case .add:
            try await Self.add(to: account, call)
        case .rename:
            let name = try call.form.text("name", atMost: 4 * Passkey.longestName)
            guard try await passkeys.rename(call.form["key"] ?? "", to: name, of: account) else { return nil }
        case .remove:
            guard
                try await passkeys.remove(
                    call.form["key"] ?? "", of: account, countsPassword: call.site.takesPasswords)
            else { return nil }
        case .prove:
            return call.proofCookie(for: try await call.passkeys.account(.prove, account: account))
        }
        call.site.security.note(.passkeyChange, from: call.client, ["account": account.handle, "change": rawValue])
        return nil
    }

    private static func add(to account: UserAccount, _ call: PageCall) async throws {
        let rules = try call.passkeys.rules()
        let typed = (call.form["name"] ?? "").split(separator: " ").joined(separator: " ")
        do {
            let (challenge, object) = try call.passkeys.answered(.add, account: account)
            let passkey: NewPasskey
            do throws(PasskeyFault) {
                passkey = try rules.register(try RegistrationAnswer(object), challenge: challenge.bytes)
            } catch { throw PasskeyRefusal.fault(error) }
            try await call.site.accounts.passkeys.add(
                passkey, name: typed.isEmpty ? call.text("passkey.default") : typed, to: account,
                relyingParty: rules.relyingParty.id, redeeming: challenge.ticket)
        } catch let refusal as PasskeyRefusal {
            call.site.security.note(
                .passkeyRefused, from: call.client,
                ["at": "add", "account": account.handle, "reason": refusal.reason])
            throw problem(refusal, refusal == .tooMany ? "passkey.tooMany" : "passkey.notAdded")
        }
    }

    /// - Parameter key: the key of the text.
    private static func problem(_ refusal: PasskeyRefusal, _ key: String) -> PageError {
        PageError(.badRequest, Phrase("account.title"), Phrase(key), .credentials(.passkey(refusal.reason)))
    }
}

/// A person's passkeys on their account page.
package struct PasskeyList: PageView {
    let hasItems: Bool
    let items: [Item]
    /// Whether the form for adding one is shown, and asks for the password.
    let mayAdd: Bool
    let asksPassword: Bool
    /// Whether a passkey has to prove who is there before another is added.
    let mayProve: Bool

    /// Nil where there are no passkeys.
    init?(of account: UserAccount, hasPassword: Bool, _ call: PageCall) async throws {
        guard call.passkeys.isPossible else { return nil }
        let known = try await call.site.accounts.passkeys.all(of: account)
        items = known.map { Item($0, call.language) }
        hasItems = !items.isEmpty
        let isFresh = call.hasFreshProof(of: account)
        let ways = try await call.site.accounts.users.waysIn(account).count
        mayAdd = known.count < Passkey.mostPerAccount && (isFresh || hasPassword || ways == 0)
        asksPassword = !isFresh && hasPassword
        mayProve = !isFresh && !hasPassword && !known.isEmpty
    }

    struct Item: PageView {
        let key: String
        let name: String
        let made: String
        /// Nil for a passkey that was never used.
        let used: String?
        let isSynced: Bool

        init(_ passkey: Passkey, _ language: PageLanguage) {
            key = passkey.key
            name = passkey.name
            made = language.time(passkey.created)
            used = passkey.lastUsed.map { language.time($0) }
            isSynced = passkey.isBackedUp
        }
    }
}
