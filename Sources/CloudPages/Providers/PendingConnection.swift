import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel
import CloudWire

/// A person at a provider whose address is another account's: waits, sealed in a cookie, for a proof by its owner.
struct PendingConnection {
    static let cookieName = "cumulus_connect"
    /// How long it waits, in seconds.
    static let lifetime: Int64 = 600

    let person: ProvenPerson
    let account: Int64
    let ticket: SignInTicket
    let purpose: (name: String, value: String)?
    let window: String?

    init(_ person: ProvenPerson, account: Int64, _ attempt: ProviderAttempt, _ call: PageCall) {
        (self.person, self.account) = (person, account)
        let expires = Timestamp(wholeSeconds: call.site.accounts.now().wholeSeconds + Self.lifetime)
        ticket = SignInTicket(state: RandomUUID.make(.secrets), expires: expires)
        (purpose, window) = (attempt.purpose, attempt.window)
    }

    var fields: FormFields {
        guard let purpose else { return FormFields("".utf8) }
        return FormFields("\(purpose.name)=\(PercentEncoding.encode(purpose.value))".utf8)
    }

    func cookie(_ call: PageCall) -> Cookie {
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("p", person.provider)
            $0.member("i", person.issuer)
            $0.member("s", person.subject)
            $0.member("e", person.email)
            $0.member("a", account)
            $0.member("t", ticket.id)
            $0.member("x", ticket.expires.wholeSeconds)
            $0.member("k", purpose?.name)
            $0.member("v", purpose?.value)
            $0.member("w", window)
            $0.member("l", person.login?.subject)
            $0.member("d", person.login?.session)
            if let login = person.login { $0.member("n", login.time.wholeSeconds) }
        }
        return call.cookie(
            Self.cookieName, call.site.pendingConnections.seal(writer.bytes), maxAge: .seconds(Self.lifetime))
    }

    static func read(_ call: PageCall) -> PendingConnection? {
        guard let text = call.cookie(cookieName), text.utf8.count <= 4096,
            let bytes = call.site.pendingConnections.open(text),
            let object = try? JSONParser.parse(bytes).object
        else { return nil }
        return PendingConnection(object, now: call.site.accounts.now())
    }

    private init?(_ object: JSONObject, now: Timestamp) {
        guard let provider = object["p"]?.string, let issuer = object["i"]?.string,
            let subject = object["s"]?.string, let account = object["a"]?.integer, let id = object["t"]?.string,
            let expires = object["x"]?.integer, expires > now.wholeSeconds
        else { return nil }
        var person = ProvenPerson(provider: provider, issuer: issuer, subject: subject)
        person.email = object["e"]?.string
        if let told = object["l"]?.string, let time = object["n"]?.integer {
            person.login = ProviderLogin(
                provider: provider, issuer: issuer, subject: told, session: object["d"]?.string,
                time: Timestamp(wholeSeconds: time))
        }
        (self.person, self.account) = (person, account)
        ticket = SignInTicket(id: id, expires: Timestamp(wholeSeconds: expires))
        if let name = object["k"]?.string, let value = object["v"]?.string {
            purpose = (name, value)
        } else {
            purpose = nil
        }
        window = object["w"]?.string
    }
}

/// `/auth/connect`: connects a person at a provider to the account that has their address, by its password or, where
/// passwords are off, by a code mailed to its address.
package enum ConnectPage {
    package static let show: PageEndpoint = { call in
        guard let (pending, account, provider) = try await find(call) else { return .seeOther("/auth/signin?other=1") }
        // From the link in the mail.
        let id = call.query["id"].flatMap { $0.utf8.count <= longestID ? $0 : nil }
        return try await page(call, pending, account, provider, code: id)
    }

    /// The longest id of a code, in bytes.
    private static let longestID = 100

    package static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let (pending, account, provider) = try await find(call) else { return .seeOther("/auth/signin?other=1") }
        do {
            if try await !isOwner(of: account, call) {
                guard call.site.takesPasswords else { return try await prove(pending, account, provider, call) }
                guard account.hasPassword else {
                    throw PageError(
                        .unauthorized, Phrase("with.title"), Phrase("account.wrongPassword"), .credentials(.password))
                }
                try await call.requirePassword(of: account, in: "password")
            }
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try await page(call, pending, account, provider, problem: problem)
        }
        return try await finish(pending, account, provider, call)
    }

    private static func finish(
        _ pending: PendingConnection, _ account: UserAccount, _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        var response = try await connect(pending, account, provider, call)
        response.setCookie(call.cookie(PendingConnection.cookieName, "", maxAge: .zero))
        return response
    }

    private static func connect(
        _ pending: PendingConnection, _ account: UserAccount, _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        if let refusal = try await call.site.accounts.identities.connect(
            pending.person, to: account.id, redeeming: pending.ticket)
        {
            return try call.refused(ProviderRefusal(refusal), at: provider)
        }
        if let window = pending.window {
            var response = try WindowView.page(window, isSignedIn: true, call)
            response.setCookie(try await call.startSession(account, persistent: false, from: pending.person.login))
            return response
        }
        let purpose = try await SignInPurpose.read(pending.fields, site: call.site)
        return try await SignInOutcome.signedIn(account, purpose, call, from: pending.person.login)
    }

    /// True for a browser that is signed in to the account by a proof of the last minutes, such as a new password.
    private static func isOwner(of account: UserAccount, _ call: PageCall) async throws -> Bool {
        try await call.session()?.account.id == account.id && call.hasFreshProof(of: account)
    }

    private static func find(
        _ call: PageCall
    ) async throws -> (PendingConnection, UserAccount, SignInProvider)? {
        guard let pending = PendingConnection.read(call),
            let account = try await call.site.accounts.users.find(named: String(pending.account)), !account.disabled,
            let provider = try await call.site.accounts.providers.find(name: pending.person.provider)
        else { return nil }
        return (pending, account, provider)
    }

    private static func page(
        _ call: PageCall, _ pending: PendingConnection, _ account: UserAccount, _ provider: SignInProvider,
        code: String? = nil, problem: PageError? = nil
    ) async throws -> Response {
        let isOwner = try await isOwner(of: account, call)
        let needsCode = !isOwner && !call.site.takesPasswords
        let maySend = call.site.origin.forMail != nil && account.email != nil
        let codeID = needsCode ? code : nil
        let purpose = try await SignInPurpose.read(pending.fields, site: call.site)
        return try call.formPage(problem: problem, policy: purpose.policy) { form in
            View(
                title: call.text("connect.title", ["title": .text(provider.title)]),
                text: call.text(
                    "connect.text", ["title": .text(provider.title), "email": .text(account.email ?? "")]),
                form: form, problem: call.shown(problem), asksPassword: !isOwner && !needsCode,
                codeID: codeID, offersCode: needsCode && maySend, isStuck: needsCode && !maySend,
                mayConnect: !needsCode || codeID != nil)
        }
    }

    package struct View: WebPage {
        package static let template = "signin-connect"

        package let title: String
        package let text: String
        package let form: String
        package let problem: String?
        package let asksPassword: Bool
        /// The id of a code that was mailed; nil for none.
        package let codeID: String?
        /// Whether a code can be mailed.
        package let offersCode: Bool
        /// Whether nothing proves the owner, since there are neither passwords nor mail.
        package let isStuck: Bool
        /// Whether the form has what a connection takes.
        package let mayConnect: Bool
    }
}

// MARK: Without passwords

extension ConnectPage {
    /// Mails a code, or takes it.
    private static func prove(
        _ pending: PendingConnection, _ account: UserAccount, _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        guard call.form["do"] != "mail" else { return try await mail(pending, account, provider, call) }
        let id = call.form["id"] ?? ""
        let attempt = GuessingLimits.Attempt(guess: .passwordReset, client: call.client)
        try call.site.guessing.take(attempt)
        let outcome = try await call.site.accounts.addressProofs.finish(
            id: id, code: call.form["code"] ?? "", of: account)
        switch outcome {
        case .proven:
            call.site.guessing.giveBack(attempt)
            return try await finish(pending, account, provider, call)
        case .wrong(let left):
            return try await page(
                call, pending, account, provider, code: id, problem: code.problem(call, attemptsLeft: left))
        case .gone:
            return try await page(call, pending, account, provider, problem: code.problem(call, attemptsLeft: nil))
        }
    }

    private static func mail(
        _ pending: PendingConnection, _ account: UserAccount, _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        let origin = try call.site.wire.mailer.requireOrigin()
        guard let address = account.email else { return try await page(call, pending, account, provider) }
        let device = call.device(for: account).map(GuessingLimits.MailSender.knownBrowser)
        try call.site.guessing.takeMail(to: address, for: device ?? .stranger(call.client))
        guard let proof = try await call.site.accounts.addressProofs.begin(for: account) else {
            return try await page(call, pending, account, provider)
        }
        call.site.wire.mailer.sendLater(
            PasswordMail.proof(
                proof, at: provider.title, to: address, origin: origin, in: call.language, call.site.wire.mailer))
        return try await page(call, pending, account, provider, code: proof.id)
    }

    private static let code = MailedCodeForm(
        title: "with.title", text: "connect.code", path: "/auth/connect", button: "connect.button",
        takesPassword: false, start: "/auth/connect", expired: "reset.expired")
}
