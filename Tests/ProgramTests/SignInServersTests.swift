import CloudCrypto
import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import TestPasskeys
import TestPostgres
import TestProcess
import Testing

/// Three servers over one PostgreSQL, and people whose requests a balancer hands to any of them.
@Suite(.timeLimit(.minutes(20)))
struct SignInServersTests {
    private static let app = "com.example.app"
    private static let callback = "https://app.example/in"
    private let programs: [Program]

    init() throws { programs = try (0..<3).map { _ in try Program() } }

    private struct Stage: Sendable {
        let listeners: [Listener]
        let provider: TestProvider
        let origin: String
        let apiToken: String
        let program: Program
        let environment: [String: String]

        func visitor() -> RoamingVisitor { RoamingVisitor(origin: origin) }

        /// Begins a sign-in: the address at the provider.
        func begin(_ visitor: RoamingVisitor, _ target: String = "/auth/with/id", at place: Int) async throws -> String
        {
            let answer = try await visitor.open(target, at: listeners[place])
            return try #require(answer.status == 303 ? answer.headers[.location] : nil, "\(answer.text)")
        }

        /// Agrees at the provider: the path of the answer.
        func agree(_ address: String) throws -> String {
            let parts = try #require(URLComponents(string: provider.agree(address)))
            return parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
        }

        /// Who an app's token says the user is.
        func caller(_ token: String? = nil, at listener: Listener) async throws -> Answer {
            let token = token.map { "&ckWebAuthToken=\(PercentEncoding.encode($0))" } ?? ""
            return try await listener.send(
                .get, "/database/1/c/production/public/users/caller?ckAPIToken=\(apiToken)\(token)")
        }

        func exchange(_ idToken: String, _ nonce: String, at listener: Listener) async throws -> Answer {
            try await listener.send(
                .post, "/auth/exchange?ckAPIToken=\(apiToken)",
                body: #"{"provider": "id", "idToken": "\#(idToken)", "nonce": "\#(nonce)"}"#)
        }

        /// What all servers say to the same request at the same time.
        func race(_ body: @escaping @Sendable (Listener, Int) async throws -> Answer) async throws -> [Int] {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (place, listener) in listeners.enumerated() {
                    group.addTask { try await body(listener, place).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
        }
    }

    private func run(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
        let ports = try FreePorts.take(3)
        let origin = "http://localhost:\(ports[0])"
        let environment = [
            "CUMULUS_DATABASE_URL": try TestCluster.shared.get().makeDatabase(),
            "CUMULUS_ASSETS_URL": "file://\(programs[0].folder.path())/assets", "CUMULUS_PUBLIC_URL": origin,
        ]
        let program = programs[0]
        let made = try await program.run(["container", "create", "c"], environment: environment)
        try #require(made.status == 0, "\(made.errors)")
        let token = try await program.run(
            [
                "token", "create", "--container", "c", "--environment", "production", "--name", "app",
                "--sign-in-callback", Self.callback, "--audience", Self.app,
            ], environment: environment)
        try #require(token.status == 0, "\(token.errors)")
        var started: [Listener] = []
        for (program, port) in zip(programs, ports) {
            let server = try await RunningServer(program, environment: environment, port: port)
            started.append(Listener(server: server, port: port))
        }
        let listeners = started
        try await TestProvider.run(now: Timestamp.now) { provider in
            let secret = try program.file("secret", TestProvider.secret)
            let added = try await program.run(
                [
                    "provider", "add", "id", "--client-id", TestProvider.client, "--issuer", provider.issuer,
                    "--secret-file", secret.path(), "--allows-http", "on", "--native-audience", Self.app,
                ], environment: environment)
            try #require(added.status == 0, "\(added.errors)")
            let stage = Stage(
                listeners: listeners, provider: provider, origin: origin,
                apiToken: token.output.trimmingCharacters(in: .whitespacesAndNewlines), program: program,
                environment: environment)
            for listener in listeners {
                try await until { try await listener.send(.get, "/auth/with/id").status != 404 }
            }
            try await body(stage)
        }
        for listener in listeners { #expect(await listener.server.stop() == 0) }
    }

    @Test("A sign-in begun at one server ends at another, and its token works at all")
    func codeFlow() async throws {
        try await run { stage in
            let asked = try await stage.caller(at: stage.listeners[2])
            let link = try #require(asked.status == 421 ? asked["redirectURL"]?.string : nil, "\(asked.text)")
            let request = try #require(link.split(separator: "?").last)
            let visitor = stage.visitor()
            let begun = try await stage.begin(visitor, "/auth/with/id?\(request)", at: 0)
            let done = try await visitor.open(try stage.agree(begun), at: stage.listeners[1])
            let place = try #require(done.headers[.location], "\(done.text)")
            #expect(done.status == 303 && place.hasPrefix(Self.callback))
            let token = try #require(FormFields((place.split(separator: "?").last ?? "").utf8)["ckWebAuthToken"])
            for listener in stage.listeners.reversed() {
                #expect(try await stage.caller(token, at: listener).status == 200)
                #expect(try await visitor.open("/account", at: listener).status == 200)
                // The link is used up everywhere.
                let late = try await stage.visitor().open("/auth/with/id?\(request)", at: listener)
                #expect(late.status == 400, "\(late.text)")
            }
        }
    }

    @Test("A state is good once, whichever servers get the answers, and a new person has one account")
    func states() async throws {
        try await run { stage in
            let visitor = stage.visitor()
            let begun = try await stage.begin(visitor, at: 0)
            // Three codes of the provider's for one state.
            let answers = try (0..<3).map { _ in try stage.agree(begun) }
            let statuses = try await stage.race { listener, place in
                try await visitor.copy().open(answers[place], at: listener)
            }
            #expect(statuses == [303, 400, 400])
            stage.provider.setManner { $0.subject = "new" }
            var others: [(visitor: RoamingVisitor, answer: String)] = []
            for place in stage.listeners.indices {
                let visitor = stage.visitor()
                others.append((visitor, try stage.agree(try await stage.begin(visitor, at: place))))
            }
            let first = try await stage.race { [others] listener, place in
                try await others[place].visitor.open(others[place].answer, at: listener)
            }
            #expect(first == [303, 303, 303])
            for (visitor, _) in others {
                #expect(try await visitor.open("/account", at: stage.listeners[0]).status == 200)
            }
            let users = try await stage.program.run(["user", "list", "--json"], environment: stage.environment)
            #expect(try users.json.array?.count == 2, "\(users.output)")
        }
    }

    @Test("A challenge of one server is answered at another, once")
    func passkeys() async throws {
        try await run { stage in
            let owner = stage.visitor()
            _ = try await owner.open(try stage.agree(try await stage.begin(owner, at: 1)), at: stage.listeners[2])
            #expect(try await owner.open("/account", at: stage.listeners[0]).status == 200)
            let asked = try await owner.submit("/account/passkeys/options", ["do": "add"], at: stage.listeners[0])
            let options = try #require(asked["options"]?.object, "\(asked.text)")
            var passkey = TestPasskey()
            passkey.origin = stage.origin
            passkey.userHandle = try #require(
                options["user"]?.object?["id"]?.string.flatMap { Base64URL.decode($0) })
            let added = try await owner.submit(
                "/account/passkeys",
                [
                    "do": "add", "ticket": asked["ticket"]?.string ?? "", "name": "Phone",
                    "answer": passkey.registration(options["challenge"]?.string ?? ""),
                ], at: stage.listeners[1])
            #expect(added.status == 303, "\(added.text)")
            let visitor = stage.visitor()
            #expect(try await visitor.open("/auth/signin", at: stage.listeners[0]).status == 200)
            for round in 0..<2 {
                let challenge = try await visitor.submit("/auth/passkey/options", [:], at: stage.listeners[round])
                let fields = [
                    "ticket": challenge["ticket"]?.string ?? "", "return": "/account",
                    "answer": passkey.assertion(challenge["options.challenge"]?.string ?? ""),
                ]
                // An authenticator that counts nothing: the challenge alone makes an answer good once.
                if round == 0 {
                    #expect(try await visitor.submit("/auth/passkey", fields, at: stage.listeners[1]).status == 303)
                    #expect(try await visitor.submit("/auth/passkey", fields, at: stage.listeners[2]).status == 401)
                } else {
                    let statuses = try await stage.race { listener, _ in
                        try await visitor.copy().submit("/auth/passkey", fields, at: listener)
                    }
                    #expect(statuses == [303, 401, 401])
                }
            }
        }
    }

    @Test("A nonce of one server is used at another, and refused at the third")
    func nonces() async throws {
        try await run { stage in
            let makeNonce = { (place: Int) in
                let answer = try await stage.listeners[place].send(
                    .post, "/auth/exchange/nonce?ckAPIToken=\(stage.apiToken)")
                return (
                    raw: try #require(answer["nonce"]?.string, "\(answer.text)"),
                    hashed: answer["hashedNonce"]?.string ?? ""
                )
            }
            let nonce = try await makeNonce(0)
            let token = stage.provider.idToken(for: Self.app, nonce: nonce.hashed)
            let signedIn = try await stage.exchange(token, nonce.raw, at: stage.listeners[1])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            let again = stage.provider.idToken(for: Self.app, nonce: nonce.hashed)
            let refused = try await stage.exchange(again, nonce.raw, at: stage.listeners[2])
            #expect(refused.status == 401 && refused.text.contains("has been used"), "\(refused.text)")
            let session = try #require(signedIn["ckWebAuthToken"]?.string)
            for listener in stage.listeners { #expect(try await stage.caller(session, at: listener).status == 200) }
            let other = try await makeNonce(1)
            let racing = stage.provider.idToken(for: Self.app, nonce: other.hashed)
            let statuses = try await stage.race { listener, _ in
                try await stage.exchange(racing, other.raw, at: listener)
            }
            #expect(statuses == [200, 401, 401])
        }
    }

    @Test("A logout token at one server ends what is used at the others, and works once")
    func logout() async throws {
        try await run { stage in
            stage.provider.setManner { $0.claims["sid"] = .string("one") }
            let visitor = stage.visitor()
            _ = try await visitor.open(try stage.agree(try await stage.begin(visitor, at: 0)), at: stage.listeners[1])
            let answer = try await stage.listeners[1].send(
                .post, "/auth/exchange/nonce?ckAPIToken=\(stage.apiToken)")
            let token = stage.provider.idToken(for: Self.app, nonce: answer["hashedNonce"]?.string ?? "")
            let session = try #require(
                try await stage.exchange(token, answer["nonce"]?.string ?? "", at: stage.listeners[1])[
                    "ckWebAuthToken"]?.string)
            for listener in stage.listeners {
                #expect(try await stage.caller(session, at: listener).status == 200)
                #expect(try await visitor.open("/account", at: listener).status == 200)
            }
            let notice = stage.provider.logoutToken(["sid": .string("one")])
            let nobody = stage.visitor()
            #expect(
                try await nobody.submit(
                    "/auth/with/id/logout", ["logout_token": notice], at: stage.listeners[0]
                ).status == 200)
            for listener in stage.listeners {
                // Browsers' sessions are read with each request, those of apps are told of within a second.
                #expect(try await visitor.open("/account", at: listener).status == 303)
                try await until { try await stage.caller(session, at: listener).status != 200 }
                #expect(
                    try await nobody.submit("/auth/with/id/logout", ["logout_token": notice], at: listener).status
                        == 400)
            }
        }
    }
}
