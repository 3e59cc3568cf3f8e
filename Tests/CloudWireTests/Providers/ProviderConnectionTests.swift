import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import Synchronization
import TestCloud
import TestStore
import Testing

@testable import CloudWire

/// Fetches from a provider on the loopback that is slow, down, long-winded or lies.
@Suite(.timeLimit(.minutes(5)))
struct ProviderConnectionTests {
    /// What the provider answers at each path, and how often it was asked.
    final class Stub: Sendable {
        private let answers = Mutex<[String: Response]>([:])
        private let counts = Mutex<[String: Int]>([:])
        private let last = Mutex<[String: Delivery]>([:])
        /// Closed while answers are held back.
        private let gate = Mutex<AsyncStream<Void>?>(nil)

        func set(_ path: String, _ text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
            answers.withLock {
                $0[path] = Response(status: status, headers: headers, body: ResponseBody(bytes: Array(text.utf8)))
            }
        }

        func hold() -> AsyncStream<Void>.Continuation {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            gate.withLock { $0 = stream }
            return continuation
        }

        func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }
        func delivery(_ path: String) -> Delivery? { last.withLock { $0[path] } }

        func reply(_ delivery: Delivery) async -> Response {
            counts.withLock { $0[delivery.path, default: 0] += 1 }
            last.withLock { $0[delivery.path] = delivery }
            if let gate = gate.withLock(\.self) { for await _ in gate {} }
            return answers.withLock { $0[delivery.path] } ?? Response(status: .notFound)
        }
    }

    private static let discovery = "/.well-known/openid-configuration"
    private let fixture: AccountFixture
    private let accounts: AccountStore
    private let stub = Stub()

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    private func run(_ body: @escaping @Sendable (_ origin: String) async throws -> Void) async throws {
        try await Receiver.run({ [stub] delivery, _ in await stub.reply(delivery) }) { receiver in
            try await body(receiver.url(""))
        }
    }

    private func provider(_ origin: String) async throws -> SignInProvider {
        var provider = SignInProvider(name: "work", kind: .oidc, clientID: "my client", issuer: origin)
        provider.allowsHTTP = true
        return try await accounts.providers.add(provider, secret: ProviderSecret("a:b"))
    }

    static func document(_ origin: String, issuer: String? = nil, more: String = "") -> String {
        """
        {"issuer": "\(issuer ?? origin)", "authorization_endpoint": "\(origin)/authorize",
        "token_endpoint": "\(origin)/token", "jwks_uri": "\(origin)/keys",
        "userinfo_endpoint": "\(origin)/userinfo"\(more)}
        """
    }

    private static let keys = #"{"keys": []}"#

    private func fault(_ body: () async throws -> Void) async -> ProviderFault? {
        do { try await body() } catch { return error as? ProviderFault }
        return nil
    }

    // MARK: Discovery

    @Test(
        "A discovery document is fetched once a day, for all who wait, and an old one serves while the provider is down"
    )
    func discoveryCache() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await connections.discovery(of: provider) } }
                try await group.waitForAll()
            }
            #expect(stub.count(Self.discovery) == 1)
            fixture.pass(seconds: 86_399)
            #expect(try await connections.endpoints(of: provider).token == origin + "/token")
            #expect(stub.count(Self.discovery) == 1)
            fixture.pass(seconds: 1)
            _ = try await connections.discovery(of: provider)
            #expect(stub.count(Self.discovery) == 2)
            stub.set(Self.discovery, "", status: .internalServerError)
            fixture.pass(seconds: 86_400)
            _ = try await connections.discovery(of: provider)
            _ = try await connections.discovery(of: provider)
            #expect(stub.count(Self.discovery) == 3)
            fixture.pass(seconds: 86_400)
            #expect(await fault { _ = try await connections.discovery(of: provider) } == .status(500))
        }
    }

    @Test("A provider whose issuer was changed is asked anew") func changedIssuer() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            _ = try await connections.discovery(of: provider)
            let (_, moved) = try await accounts.providers.update(name: "work") { $0.issuer = origin + "/realms/a" }
            stub.set("/realms/a" + Self.discovery, Self.document(origin, issuer: origin + "/realms/a"))
            _ = try await connections.discovery(of: moved)
            #expect(stub.count("/realms/a" + Self.discovery) == 1)
        }
    }

    @Test("Answers that are no discovery document of the issuer are refused") func wrongDocuments() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            let documents: [(String, ProviderFault)] = [
                (Self.document(origin, issuer: "https://evil.example"), .discovery(.issuer)),
                (Self.document(origin, issuer: origin + "/"), .discovery(.issuer)), ("<html>", .discovery(.json)),
                (Self.document(origin, more: #", "issuer": "\#(origin)""#), .discovery(.duplicate)),
                (
                    Self.document(origin).replacing(origin + "/token", with: "file:///etc/passwd"),
                    .discovery(.url(.token))
                ),
                (Self.document(origin).replacing(origin + "/keys", with: "http://a:b@c/"), .discovery(.url(.keys))),
                (Self.document(origin, more: #", "response_types_supported": ["id_token"]"#), .discovery(.codeFlow)),
                (String(repeating: " ", count: 262_145), .size),
                (String(repeating: " ", count: 262_144), .discovery(.json)),
            ]
            for (text, expected) in documents {
                stub.set(Self.discovery, text)
                #expect(await fault { _ = try await connections.discovery(of: provider) } == expected)
            }
        }
    }

    @Test("Microsoft's document is that of the tenants that may come in") func microsoft() async throws {
        try await run { origin in
            var provider = SignInProvider(name: "ms", kind: .microsoft, clientID: "c")
            provider.tenants = ["11111111-2222-3333-4444-555555555555", "22222222-2222-3333-4444-555555555555"]
            let microsoft = "https://login.microsoftonline.com"
            var settings = ProviderSettings()
            settings.standIns = [microsoft: origin]
            let connections = ProviderConnections(accounts: accounts, settings)
            let issuer = microsoft + "/{tenantid}/v2.0"
            stub.set("/organizations/v2.0" + Self.discovery, Self.document(microsoft, issuer: issuer))
            #expect(try await connections.endpoints(of: provider).token == microsoft + "/token")
            let tenant = provider.tenants[0]
            provider.tenants = [tenant]
            let own = microsoft + "/\(tenant)/v2.0"
            stub.set("/\(tenant)/v2.0" + Self.discovery, Self.document(microsoft, issuer: own))
            _ = try await connections.discovery(of: provider)
            stub.set("/keys", Self.keys)
            _ = try await connections.keys(of: provider)
        }
    }

    // MARK: Keys

    @Test("A thousand unknown keys cause one fetch a minute") func unknownKeys() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            stub.set("/keys", Self.keys, headers: [.cacheControl: "max-age=86400"])
            for minute in 1...3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<1000 {
                        group.addTask { _ = try await connections.keys(of: provider, isKeyUnknown: true) }
                    }
                    try await group.waitForAll()
                }
                #expect(stub.count("/keys") == minute)
                _ = try await connections.keys(of: provider)
                #expect(stub.count("/keys") == minute)
                fixture.pass(seconds: 60)
            }
            #expect(stub.count(Self.discovery) == 1)
        }
    }

    @Test("Keys are fetched again when they are old, and old ones serve for a day while that fails") func oldKeys()
        async throws
    {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            stub.set("/keys", Self.keys, headers: [.cacheControl: "max-age=600"])
            _ = try await connections.keys(of: provider)
            fixture.pass(seconds: 599)
            _ = try await connections.keys(of: provider)
            #expect(stub.count("/keys") == 1)
            stub.set("/keys", "", status: .internalServerError)
            fixture.pass(seconds: 1)
            for _ in 0..<10 { _ = try await connections.keys(of: provider) }
            #expect(stub.count("/keys") == 2)
            fixture.pass(seconds: 85_801)
            #expect(await fault { _ = try await connections.keys(of: provider) } == .status(500))
            // Within a minute the provider is not asked again, and the reason stays.
            #expect(await fault { _ = try await connections.keys(of: provider) } == .status(500))
            #expect(stub.count("/keys") == 3)
            stub.set("/keys", Self.keys)
            fixture.pass(seconds: 60)
            _ = try await connections.keys(of: provider)
            #expect(stub.count("/keys") == 4)
        }
    }

    @Test("An answer that is no set of keys is refused") func wrongKeys() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            stub.set(Self.discovery, Self.document(origin))
            let answers: [(String, ProviderFault)] = [("[]", .keys(.json)), ("{}", .keys(.keys))]
            for (text, expected) in answers {
                stub.set("/keys", text)
                let connections = ProviderConnections(accounts: accounts)
                #expect(await fault { _ = try await connections.keys(of: provider) } == expected)
            }
        }
    }

    // MARK: Requests

    @Test("A provider that does not answer is given up") func slow() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            var settings = ProviderSettings()
            settings.timeout = .milliseconds(300)
            let connections = ProviderConnections(accounts: accounts, settings)
            let held = stub.hold()
            #expect(await fault { _ = try await connections.discovery(of: provider) } == .late(1))
            held.finish()
        }
    }

    @Test("A provider that is down is told by its host") func down() async throws {
        let provider = try await provider("http://127.0.0.1:1")
        let connections = ProviderConnections(accounts: accounts)
        guard case .connection(let reason) = await fault({ _ = try await connections.discovery(of: provider) }) else {
            Issue.record("no fault of the connection")
            return
        }
        #expect(reason.hasPrefix("no connection to 127.0.0.1"))
    }

    @Test("A redirect is not followed") func redirect() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, "", status: .temporaryRedirect, headers: [.location: origin + "/elsewhere"])
            #expect(await fault { _ = try await connections.discovery(of: provider) } == .redirect)
            #expect(stub.count("/elsewhere") == 0)
        }
    }

    @Test("More requests than may run and wait are refused") func busy() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            var settings = ProviderSettings()
            (settings.fetches, settings.waiting) = (1, 1)
            let connections = ProviderConnections(accounts: accounts, settings)
            stub.set("/a", "{}")
            let held = stub.hold()
            await withTaskGroup(of: ProviderFault?.self) { group in
                for _ in 0..<10 {
                    group.addTask { await fault { _ = try await connections.get(origin + "/a", of: provider) } }
                }
                for _ in 0..<8 { #expect(await group.next() == .some(.busy)) }
                held.finish()
                for _ in 0..<2 { #expect(await group.next() == .some(nil)) }
            }
        }
    }

    @Test("http is refused where the operator has not allowed it, and so are other schemes") func schemes() async {
        let fetcher = ProviderFetcher(ProviderSettings())
        for url in ["http://127.0.0.1:1/", "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", ""] {
            guard case .url = await fault({ _ = try await fetcher.fetch(.init(url)) }) else {
                Issue.record("\(url) was fetched")
                continue
            }
        }
    }

    @Test(
        "A host that a provider names is inside only if the issuer is",
        arguments: [
            ("out", "out", true), ("out2", "out", true), ("in", "out", false), ("meta", "out", false),
            ("in", "in", true), ("in2", "in", true), ("out", "in", true), ("both", "out", false),
        ])
    func addresses(host: String, issuer: String, isAllowed: Bool) async throws {
        let known: [String: [[UInt8]]] = [
            "out": [[1, 1, 1, 1]], "out2": [[8, 8, 8, 8]], "in": [[10, 0, 0, 1]], "in2": [[127, 0, 0, 1]],
            "meta": [[169, 254, 169, 254]], "both": [[1, 1, 1, 1], [10, 0, 0, 1]],
        ]
        let addresses = ProviderAddresses { host in (known[host] ?? []).compactMap { IPAddress($0) } }
        let fault = await fault { _ = try await addresses.address(of: host, issuer: issuer) }
        #expect((fault == nil) == isAllowed)
    }

    // MARK: Tokens

    @Test("A code is redeemed by the method that discovery or the operator names") func redeem() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let answer = #"{"access_token": "at", "token_type": "Bearer", "id_token": "a.b.c"}"#
            stub.set("/token", answer)
            stub.set(Self.discovery, Self.document(origin))
            let redeem = { (provider: SignInProvider) in
                try await ProviderConnections(accounts: accounts).redeem(
                    code: "c&1", redirect: "https://me.example/auth/with/work", proof: ProofKey(), of: provider)
            }
            #expect(try await redeem(provider).idToken == "a.b.c")
            var sent = try #require(stub.delivery("/token"))
            #expect(sent.headers["authorization"] == "Basic bXkrY2xpZW50OmElM0Fi")
            var form = String(decoding: sent.body, as: UTF8.self)
            #expect(form.contains("code=c%261") && form.contains("code_verifier=") && !form.contains("client_secret"))
            let (_, posting) = try await accounts.providers.update(name: "work") { $0.clientAuthentication = .post }
            _ = try await redeem(posting)
            sent = try #require(stub.delivery("/token"))
            form = String(decoding: sent.body, as: UTF8.self)
            #expect(sent.headers["authorization"] == nil)
            #expect(form.contains("client_id=my+client&client_secret=a%3Ab"))
            let others = #", "token_endpoint_auth_methods_supported": ["private_key_jwt"]"#
            stub.set(Self.discovery, Self.document(origin, more: others))
            #expect(await fault { _ = try await redeem(provider) } == .clientAuthentication)
        }
    }

    @Test("A token request is judged by its answer's body") func tokenErrors() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            let answers: [(String, HTTPResponse.Status, ProviderFault)] = [
                (#"{"error": "invalid_code"}"#, .forbidden, .token(.refused("invalid_code"))),
                (#"{"error": "bad_verification_code"}"#, .ok, .token(.refused("bad_verification_code"))),
                ("<html>", .internalServerError, .status(500)), ("<html>", .ok, .token(.json)),
                (#"{"access_token": "at", "token_type": "Bearer"}"#, .ok, .token(.token)),
            ]
            for (text, status, expected) in answers {
                stub.set("/token", text, status: status)
                let found = await fault {
                    _ = try await connections.redeem(code: "c", redirect: nil, proof: nil, of: provider)
                }
                #expect(found == expected)
            }
        }
    }

    @Test("GitHub is asked without discovery, and for the address that is primary and verified") func gitHub()
        async throws
    {
        try await run { origin in
            let provider = try await accounts.providers.add(
                SignInProvider(name: "hub", kind: .github, clientID: "c"), secret: ProviderSecret("s"))
            var settings = ProviderSettings()
            settings.standIns = ["https://github.com": origin, "https://api.github.com": origin]
            let connections = ProviderConnections(accounts: accounts, settings)
            stub.set("/login/oauth/access_token", #"{"access_token": "at", "token_type": "bearer"}"#)
            let answer = try await connections.redeem(
                code: "c", redirect: "https://me.example/x", proof: ProofKey(), of: provider)
            #expect(answer.idToken == nil)
            #expect(stub.delivery("/login/oauth/access_token")?.headers["accept"] == "application/json")
            stub.set("/user", #"{"id": 7, "login": "ann", "name": "Ann"}"#)
            stub.set("/user/emails", #"[{"email": "ann@example.com", "primary": true, "verified": true}]"#)
            let person = try await connections.gitHubPerson(of: provider, accessToken: answer.accessToken)
            #expect((person.subject, person.email) == ("7", "ann@example.com"))
            #expect(stub.delivery("/user")?.headers["authorization"] == "Bearer at")
            #expect(await fault { _ = try await connections.keys(of: provider) } == .endpoint(.discovery))
        }
    }

    @Test("User information is read with the access token") func userInfo() async throws {
        try await run { origin in
            let provider = try await provider(origin)
            let connections = ProviderConnections(accounts: accounts)
            stub.set(Self.discovery, Self.document(origin))
            stub.set("/userinfo", #"{"sub": "1", "email": "a@example.com"}"#)
            #expect(try await connections.userInfo(of: provider, accessToken: "at")["sub"] == .string("1"))
            stub.set("/userinfo", #"{"sub": "1", "sub": "2"}"#)
            #expect(await fault { _ = try await connections.userInfo(of: provider, accessToken: "at") } == .userInfo)
            stub.set("/userinfo", "", status: .unauthorized)
            #expect(await fault { _ = try await connections.userInfo(of: provider, accessToken: "at") } == .status(401))
        }
    }
}
