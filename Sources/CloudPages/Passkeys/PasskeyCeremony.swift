package import CloudAccounts
package import CloudHTTP
import CloudIdentity
import CloudModel
import CloudWire

/// What a page asks of a browser's passkeys, and what it makes of their answers.
package struct PasskeyCeremony {
    private let call: PageCall

    fileprivate init(_ call: PageCall) { self.call = call }

    /// Nil where there are no passkeys.
    private var relyingParty: RelyingParty? {
        call.site.passkeys.relyingParty(call.site.origin.text(authority: call.request.head.authority))
    }

    /// Whether there are passkeys here.
    package var isPossible: Bool { relyingParty != nil }

    /// The answer to a script that asks for a challenge for whichever passkey the person has here.
    package func request(_ purpose: PasskeyChallenge.Purpose) async throws -> Response {
        try await options {
            try call.requireOwnForm()
            let options = PasskeyOptions(rules: try rules())
            let challenge = challenge(purpose)
            return (challenge, options.request(challenge: challenge.bytes), nil)
        }
    }

    /// - Throws: a page for a server without passkeys.
    func rules() throws(PageError) -> PasskeyRules {
        guard let relyingParty else { throw PageError(.notFound, key: "refused.notFound", .address) }
        return PasskeyRules(relyingParty: relyingParty)
    }

    /// A fresh challenge for this browser, whose form was checked.
    func challenge(_ purpose: PasskeyChallenge.Purpose, account: UserAccount? = nil) -> PasskeyChallenge {
        PasskeyChallenge(
            bytes: PasskeyOptions.challenge(), purpose: purpose, account: account?.id ?? 0,
            browser: call.form[FormGuard.field] ?? "",
            expires: call.site.accounts.now() + .seconds(PasskeyOptions.validity))
    }

    /// The challenge of the form's field `ticket`, if it is this browser's, and the answer of its field `answer`.
    ///
    /// - Throws: ``PasskeyRefusal``.
    func answered(
        _ purpose: PasskeyChallenge.Purpose, account: UserAccount? = nil
    ) throws(PasskeyRefusal) -> (PasskeyChallenge, JSONObject) {
        guard let challenge = call.form["ticket"].flatMap(call.site.passkeys.open), challenge.purpose == purpose,
            challenge.account == account?.id ?? 0, challenge.browser == call.form[FormGuard.field] ?? "",
            challenge.expires > call.site.accounts.now()
        else { throw .challenge }
        guard let object = try? JSONParser.parse(Array((call.form["answer"] ?? "").utf8)).object else {
            throw .fault(.answer)
        }
        return (challenge, object)
    }

    /// The account of the passkey that answered the form's challenge.
    ///
    /// - Parameter account: the account whose passkey is expected; nil for any.
    /// - Throws: a page for a refused passkey, or for too many of them.
    func account(
        _ purpose: PasskeyChallenge.Purpose, account expected: UserAccount? = nil
    ) async throws -> UserAccount { try await used(purpose, account: expected).account }

    /// The passkey that answered the form's challenge, and its account.
    ///
    /// - Parameter account: the account whose passkey is expected; nil for any.
    /// - Throws: a page for a refused passkey, or for too many of them.
    package func used(
        _ purpose: PasskeyChallenge.Purpose, account expected: UserAccount? = nil
    ) async throws -> (account: UserAccount, id: [UInt8]) {
        let (rules, site) = (try self.rules(), call.site)
        let attempt = GuessingLimits.Attempt(guess: purpose == .console ? .console : .signIn, client: call.client)
        try site.guessing.take(attempt)
        do {
            let (challenge, object) = try answered(purpose, account: expected)
            let answer: AssertionAnswer
            do throws(PasskeyFault) { answer = try AssertionAnswer(object) } catch { throw PasskeyRefusal.fault(error) }
            let (account, _) = try await site.accounts.passkeys.use(
                answer, challenge: challenge.bytes, rules: rules, redeeming: challenge.ticket)
            guard expected == nil || expected?.id == account.id else { throw PasskeyRefusal.fault(.userHandle) }
            site.guessing.giveBack(attempt)
            return (account, answer.id)
        } catch let refusal as PasskeyRefusal {
            site.security.note(.passkeyRefused, from: call.client, ["at": purpose.rawValue, "reason": refusal.reason])
            throw PageError(
                .unauthorized, Phrase([.signIn, .console].contains(purpose) ? "signin.title" : "account.title"),
                Phrase("passkey.refused"), .credentials(.passkey(refusal.reason)))
        }
    }

    /// The answer to a script that asks for options: a sealed challenge with the options, or a problem as a text.
    ///
    /// - Parameter make: gives the challenge, its options, and a cookie to set.
    func options(
        _ make: () async throws -> (PasskeyChallenge, JSONValue, Cookie?)
    ) async throws -> Response {
        var writer = JSONWriter()
        do {
            let (challenge, options, cookie) = try await make()
            let ticket = call.site.passkeys.seal(challenge)
            writer.object {
                $0.member("ticket", ticket)
                $0.key("options")
                $0.value(options)
            }
            var response = Response.json(writer)
            response.headers[.cacheControl] = "no-store"
            if let cookie { response.setCookie(cookie) }
            return response
        } catch let problem as PageError {
            call.note(problem)
            let text = call.language.text(problem.text)
            writer.object { $0.member("problem", text) }
            var response = Response.json(writer, status: problem.status)
            response.headers[.cacheControl] = "no-store"
            if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }
}

extension PageCall {
    package var passkeys: PasskeyCeremony { PasskeyCeremony(self) }
}
