import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

/// A change to a person's own account, chosen by the form field `do`.
package enum AccountChange: String {
    case name
    case password
    /// Ends one session.
    case end
    case endOthers

    /// `POST /account`.
    package static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else { return AccountPage.signIn(back: "/account") }
        guard let change = call.form["do"].flatMap(AccountChange.init) else {
            throw ServerError.badRequest("do must be 'name', 'password', 'end' or 'endOthers'")
        }
        do {
            return try await change.apply(to: account, call)
        } catch let error as ServerError where error.code == .badRequest {
            return try await AccountPage.page(call, account, problem: PageError(error), in: change)
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try await AccountPage.page(call, account, problem: problem, in: change)
        }
    }

    private func apply(to account: UserAccount, _ call: PageCall) async throws -> Response {
        let accounts = call.site.accounts
        var response = Response.seeOther("/account")
        let login = try await call.providerLogin()
        switch self {
        case .name:
            try await accounts.users.setNames(
                given: try Self.name("givenName", call), family: try Self.name("familyName", call), of: account)
        case .password:
            try call.site.requirePasswords()
            try await call.requirePassword(of: account, in: "current")
            _ = try await accounts.users.setPassword(call.form["password"] ?? "", email: account.idText)
            call.site.wire.mailer.sendLater(PasswordMail.changed(of: account, in: call.language, call.site.wire.mailer))
            response.setCookie(try await call.startSession(account, persistent: false, from: login))
        case .end:
            let id = try call.form.text("session")
            let own = try await accounts.sessions.list(email: account.idText)
            if own.contains(where: { $0.id == id }) { try await accounts.sessions.revoke(id: id) }
        case .endOthers:
            _ = try await accounts.sessions.revokeAll(email: account.idText)
            response.setCookie(try await call.startSession(account, persistent: false, from: login))
        }
        return response
    }

    private static func name(_ field: String, _ call: PageCall) throws(ServerError) -> String? {
        (call.form[field] ?? "").allSatisfy(\.isWhitespace) ? nil : try call.form.text(field, atMost: 100)
    }
}

extension PageCall {
    /// Asks for the password again before an irreversible change. An account without a password needs a fresh
    /// proof, or has no way in at all.
    ///
    /// - Parameter field: the form field with the password.
    /// - Throws: a page for a wrong password, or for too many wrong passwords.
    func requirePassword(of account: UserAccount, in field: String) async throws {
        guard try await site.hasPassword(account) else {
            if hasFreshProof(of: account) { return }
            guard try await site.accounts.users.waysIn(account).count > 0 else { return }
            throw PageError(
                .unauthorized, Phrase("account.title"), Phrase("passkey.proveFirst"), .credentials(.freshProof))
        }
        let attempt = GuessingLimits.Attempt(
            guess: .signIn, client: client, subject: account.handle, device: device(for: account),
            name: account.handle)
        try site.guessing.take(attempt)
        guard try await site.accounts.users.isPassword(form[field] ?? "", of: account) else {
            site.security.note(.signInFailed, from: client, ["account": account.handle, "at": "account"])
            throw PageError(
                .unauthorized, Phrase("account.title"), Phrase("account.wrongPassword"), .credentials(.password))
        }
        site.guessing.giveBack(attempt)
    }
}
