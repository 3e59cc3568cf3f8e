package import CloudAccounts
import CloudEngine
package import CloudHTTP
import CloudIdentity
import CloudModel
import CloudWire

/// The relying party of a server's pages, and its challenges.
struct PasskeySite: Sendable {
    private let configured: RelyingParty?
    private let isDevelopment: Bool
    private let signer: TokenSigner

    init(_ settings: PasskeySettings, _ http: HTTPSettings, accounts: AccountStore) throws {
        // The program says why there are no passkeys.
        configured = try? settings.relyingParty(publicURL: http.publicURL)
        isDevelopment = http.dev && http.publicURL == nil
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "passkey"))
    }

    /// The relying party; nil where there are no passkeys. Without a public URL only a development server has one, on
    /// `localhost`: elsewhere a request's `Host` would choose it.
    func relyingParty(_ origin: @autoclosure () -> String) -> RelyingParty? {
        guard isDevelopment else { return configured }
        let local = try? RelyingParty(origin: origin())
        return local?.id == "localhost" ? local : nil
    }

    func seal(_ challenge: PasskeyChallenge) -> String {
        var payload = JSONWriter(capacity: 256)
        payload.object {
            $0.member("c", Base64URL.encode(challenge.bytes))
            $0.member("p", challenge.purpose.rawValue)
            $0.member("a", challenge.account)
            $0.member("b", challenge.browser)
            $0.member("x", challenge.expires.milliseconds)
        }
        return signer.seal(payload.bytes)
    }

    func open(_ text: String) -> PasskeyChallenge? {
        guard text.utf8.count <= 2048, let payload = signer.open(text),
            let object = try? JSONParser.parse(payload).object,
            let bytes = object["c"]?.string.flatMap({ Base64URL.decode($0) }),
            let purpose = object["p"]?.string.flatMap(PasskeyChallenge.Purpose.init),
            let account = object["a"]?.integer,
            let browser = object["b"]?.string, let expires = object["x"]?.integer
        else { return nil }
        return PasskeyChallenge(
            bytes: bytes, purpose: purpose, account: account, browser: browser,
            expires: Timestamp(milliseconds: expires))
    }
}

/// A challenge, which the browser holds sealed until it answers: the server keeps only the ids of answered ones.
package struct PasskeyChallenge: Hashable, Sendable {
    package enum Purpose: String, Sendable {
        case signIn, add, prove, console
    }

    let bytes: [UInt8]
    let purpose: Purpose
    /// 0 where the account is not known yet.
    let account: Int64
    /// The form guard's digest of the browser's cookie.
    let browser: String
    let expires: Timestamp

    var ticket: SignInTicket { SignInTicket(challenge: bytes, expires: expires) }
}

extension PageCall {
    /// Nil where there are no passkeys.
    var relyingParty: RelyingParty? {
        site.passkeys.relyingParty(site.origin.text(authority: request.head.authority))
    }

    /// Whether there are passkeys here.
    package var hasPasskeys: Bool { relyingParty != nil }

    /// The answer to a script that asks for a challenge for whichever passkey the person has here.
    package func passkeyRequest(_ purpose: PasskeyChallenge.Purpose) async throws -> Response {
        try await optionsAnswer {
            try requireOwnForm()
            let options = PasskeyOptions(rules: try passkeyRules())
            let challenge = challenge(purpose)
            return (challenge, options.request(challenge: challenge.bytes), nil)
        }
    }

    /// - Throws: a page for a server without passkeys.
    func passkeyRules() throws(PageError) -> PasskeyRules {
        guard let relyingParty else { throw PageError(.notFound, key: "refused.notFound", .address) }
        return PasskeyRules(relyingParty: relyingParty)
    }

    /// A fresh challenge for this browser, whose form was checked.
    func challenge(_ purpose: PasskeyChallenge.Purpose, account: UserAccount? = nil) -> PasskeyChallenge {
        PasskeyChallenge(
            bytes: PasskeyOptions.challenge(), purpose: purpose, account: account?.id ?? 0,
            browser: form[FormGuard.field] ?? "",
            expires: site.accounts.now() + .seconds(PasskeyOptions.validity))
    }

    /// The challenge of the form's field `ticket`, if it is this browser's, and the answer of its field `answer`.
    ///
    /// - Throws: ``PasskeyRefusal``.
    func answered(
        _ purpose: PasskeyChallenge.Purpose, account: UserAccount? = nil
    ) throws(PasskeyRefusal) -> (PasskeyChallenge, JSONObject) {
        guard let challenge = form["ticket"].flatMap(site.passkeys.open), challenge.purpose == purpose,
            challenge.account == account?.id ?? 0, challenge.browser == form[FormGuard.field] ?? "",
            challenge.expires > site.accounts.now()
        else { throw .challenge }
        guard let object = try? JSONParser.parse(Array((form["answer"] ?? "").utf8)).object else {
            throw .fault(.answer)
        }
        return (challenge, object)
    }

    /// The account of the passkey that answered the form's challenge.
    ///
    /// - Parameter account: the account whose passkey is expected; nil for any.
    /// - Throws: a page for a refused passkey, or for too many of them.
    func accountByPasskey(
        _ purpose: PasskeyChallenge.Purpose, account expected: UserAccount? = nil
    ) async throws -> UserAccount { try await usedPasskey(purpose, account: expected).account }

    /// The passkey that answered the form's challenge, and its account.
    ///
    /// - Parameter account: the account whose passkey is expected; nil for any.
    /// - Throws: a page for a refused passkey, or for too many of them.
    package func usedPasskey(
        _ purpose: PasskeyChallenge.Purpose, account expected: UserAccount? = nil
    ) async throws -> (account: UserAccount, id: [UInt8]) {
        let rules = try passkeyRules()
        let attempt = GuessingLimits.Attempt(guess: purpose == .console ? .console : .signIn, client: client)
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
            site.security.note(.passkeyRefused, from: client, ["at": purpose.rawValue, "reason": refusal.reason])
            throw PageError(
                .unauthorized, Phrase([.signIn, .console].contains(purpose) ? "signin.title" : "account.title"),
                Phrase("passkey.refused"), .credentials(.passkey(refusal.reason)))
        }
    }

    /// The answer to a script that asks for options: a sealed challenge with the options, or a problem as a text.
    ///
    /// - Parameter make: gives the challenge, its options, and a cookie to set.
    func optionsAnswer(
        _ make: () async throws -> (PasskeyChallenge, JSONValue, Cookie?)
    ) async throws -> Response {
        var writer = JSONWriter()
        do {
            let (challenge, options, cookie) = try await make()
            let ticket = site.passkeys.seal(challenge)
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
            note(problem)
            let text = language.text(problem.text)
            writer.object { $0.member("problem", text) }
            var response = Response.json(writer, status: problem.status)
            response.headers[.cacheControl] = "no-store"
            if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }
}
