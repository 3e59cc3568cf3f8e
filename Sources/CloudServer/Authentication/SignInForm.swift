import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird

/// `POST /auth/signin`: somebody signs in, goes on as who they are, or gives up.
enum SignInForm {
    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        if call.form["action"] == "cancel" { return try SignInOutcome.cancelled(purpose, call) }
        do {
            guard let account = try await account(call) else {
                throw PageError(
                    .unauthorized, "Sign in", "This email address and this password do not go together.")
            }
            return try await SignInOutcome.signedIn(account, purpose, call)
        } catch let problem as PageError where problem.status == .unauthorized || problem.status == .tooManyRequests {
            return try await SignInPage.form(call, purpose, isOther: true, email: call.form["email"], problem: problem)
        }
    }

    /// Whom the form signs in; nil when the password is wrong.
    private static func account(_ call: PageCall) async throws -> UserAccount? {
        if call.form["action"] == "continue" {
            if let session = try await call.session() { return session.account }
            throw PageError(.unauthorized, "Sign in", "You have been signed out meanwhile.")
        }
        if let person = call.form["person"], call.site.configuration.dev {
            return try await TestPeople.account(person, accounts: call.site.accounts)
        }
        let email = call.form["email"] ?? ""
        try call.site.guessing.take(from: call.client, at: email)
        let account = try await call.site.accounts.account(email: email, password: call.form["password"] ?? "")
        if account != nil { call.site.guessing.giveBack(from: call.client, at: email) }
        return account
    }
}

/// The people that development makes up.
private enum TestPeople {
    private static let names = ["Ada", "Ben", "Chiara", "Deniz", "Emeka", "Fatima", "Goran", "Hana"]

    /// - Parameter person: an address, or `new` for somebody there was not before.
    static func account(_ person: String, accounts: AccountStore) async throws -> UserAccount {
        guard person == "new" else {
            if let account = try await accounts.userAccount(email: person), !account.disabled { return account }
            throw PageError(.unauthorized, "Sign in", "There is no such test person.")
        }
        let name = names.randomElement() ?? "Ada"
        // Long enough that two at once are two people.
        let number = RandomUUID.make().prefix(8)
        return try await accounts.createUserAccount(
            email: "\(name.lowercased())-\(number)@example.com", givenName: name, familyName: "Test \(number)")
    }
}
