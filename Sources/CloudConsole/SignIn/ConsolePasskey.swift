import CloudAccounts
import CloudHTTP
import CloudModel
import CloudPages
import CloudWire

/// `/console/passkey`: signs an operator in with a passkey, which is both factors once a code has been entered beside it.
enum ConsolePasskey {
    /// `POST /console/passkey/options`: a challenge.
    static let options: PageEndpoint = ConsoleGate.signingIn { try await $0.passkeys.request(.console) }

    static let submit: PageEndpoint = ConsoleGate.signingIn { page in
        do {
            let used = try await page.passkeys.used(.console)
            guard let begun = try await page.site.accounts.consoleLogins.begin(account: used.account, passkey: used.id)
            else {
                page.site.security.note(
                    .signInFailed, from: page.client, ["account": used.account.handle, "at": "console"])
                throw PageError(
                    .unauthorized, english: "Sign in", "This passkey belongs to nobody who may use the console.",
                    .credentials(.passkey("the passkey is no operator's")))
            }
            if let old = page.consoleToken { try await page.site.accounts.consoleLogins.end(old) }
            let way = ConsoleSignIn.way(page.form)
            if begun.isComplete {
                try await ConsoleCode.note(used.account, "signed in to the console with a passkey", page)
            }
            var response = Response.seeOther(
                begun.isComplete ? way : ConsoleAddress.make("/console/code", [("return", way)]))
            response.setCookie(ConsoleSession.cookie(begun.token, in: page))
            response.setCookie(page.deviceCookie(for: used.account))
            return response
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try await ConsoleSignIn.form(page, back: page.form["return"], problem: problem)
        }
    }
}
