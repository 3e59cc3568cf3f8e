import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

/// `POST /auth/signin`: signs in, continues with the current session, or cancels.
enum SignInForm {
    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        if call.form["action"] == "cancel" { return try SignInOutcome.cancelled(purpose, call) }
        do {
            guard let (account, isByPassword) = try await account(call) else {
                throw PageError(
                    .unauthorized, Phrase("signin.title"), Phrase("signin.wrong"), .credentials(.password))
            }
            var response = try await SignInOutcome.signedIn(
                account, purpose, call, from: call.form["action"] == "continue" ? try await call.providerLogin() : nil)
            if isByPassword {
                response.setCookie(call.deviceCookie(for: account))
                response.setCookie(call.proofCookie(for: account))
            }
            return response
        } catch let problem as PageError where problem.status == .unauthorized || problem.status == .tooManyRequests {
            return try await SignInPage.form(call, purpose, isOther: true, email: call.form["email"], problem: problem)
        }
    }

    /// The account that the form signs in, and whether a password proved it; nil for a wrong password.
    private static func account(_ call: PageCall) async throws -> (UserAccount, isByPassword: Bool)? {
        if call.form["action"] == "continue" {
            if let session = try await call.session() { return (session.account, false) }
            throw PageError(
                .unauthorized, Phrase("signin.title"), Phrase("signin.meanwhile"), .credentials(.expiredSession))
        }
        if let person = call.form["person"], call.site.isDevelopment {
            if let fault = DevelopmentGate(call.site.wire.http).fault(call.request.head) {
                throw PageError(
                    .forbidden, Phrase("signin.title"),
                    .reason("\(fault).", otherwise: Phrase("refused.noAccess.title")),
                    .credentials(.notForTests))
            }
            return (try await TestPeople.account(person, accounts: call.site.accounts), false)
        }
        return try await accountByPassword(call).map { ($0, true) }
    }

    private static func accountByPassword(_ call: PageCall) async throws -> UserAccount? {
        try call.site.requirePasswords()
        let (site, email) = (call.site, call.form["email"] ?? "")
        // Account addresses have at most 254 bytes. The log names known accounts only, because an unknown text in the
        // field may be a mistyped password.
        let known = email.utf8.count <= 254 ? try await site.accounts.users.find(email: email) : nil
        let attempt = GuessingLimits.Attempt(
            guess: .signIn, client: call.client, subject: known?.email ?? email, device: known.flatMap(call.device),
            name: known?.email)
        let turn = try site.guessing.take(attempt)
        guard
            let account = try await site.accounts.users.find(
                email: email, password: call.form["password"] ?? "", turn: turn)
        else {
            site.security.note(.signInFailed, from: call.client, ["account": known?.email ?? "unknown"])
            return nil
        }
        site.guessing.giveBack(attempt)
        guard account.emailVerified || site.isDevelopment else {
            throw PageError(
                .unauthorized, Phrase("confirm.title"), Phrase("confirm.pending"), .credentials(.unconfirmedUser))
        }
        return account
    }
}

/// The test people of a development server.
private enum TestPeople {
    private static let names = ["Ada", "Ben", "Chiara", "Deniz", "Emeka", "Fatima", "Goran", "Hana"]

    /// - Parameter person: an email address, or `new` for a new person.
    static func account(_ person: String, accounts: AccountStore) async throws -> UserAccount {
        guard person == "new" else {
            if let account = try await accounts.users.find(named: person), !account.disabled { return account }
            throw PageError(.unauthorized, Phrase("signin.title"), Phrase("signin.noTestPerson"), .missing(.user))
        }
        let name = names.randomElement() ?? "Ada"
        // Long enough to be unique under concurrent requests.
        let number = RandomUUID.make().prefix(8)
        return try await accounts.users.create(
            email: "\(name.lowercased())-\(number)@example.com", givenName: name, familyName: "Test \(number)")
    }
}
