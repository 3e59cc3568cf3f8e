import CloudAccounts
import CloudHTTP
import CloudModel

/// Signing in with a passkey.
enum PasskeySignIn {
    /// `POST /auth/passkey/options`: a challenge for whichever passkey the person has here.
    static let options: PageEndpoint = { try await $0.passkeys.request(.signIn) }

    /// `POST /auth/passkey`: signs in.
    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        do {
            let account = try await call.passkeys.account(.signIn)
            var response = try await SignInOutcome.signedIn(account, purpose, call)
            response.setCookie(call.deviceCookie(for: account))
            response.setCookie(call.proofCookie(for: account))
            return response
        } catch let problem as PageError where problem.status == .unauthorized || problem.status == .tooManyRequests {
            return try await SignInPage.form(call, purpose, isOther: true, problem: problem)
        }
    }
}
