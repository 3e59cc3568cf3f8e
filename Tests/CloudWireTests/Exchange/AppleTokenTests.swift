import CloudAccounts
import CloudHTTP
import CloudModel
import Logging
import NIOCore
import TestCloud
import Testing

@testable import CloudWire

/// Apple's tokens for revocation, and its notices about accounts.
@Suite(.timeLimit(.minutes(10)))
struct AppleTokenTests {
    private static func run(
        logger: Logger = TestServer.silent, _ body: @escaping @Sendable (ProviderStage, NativeApp) async throws -> Void
    ) async throws {
        try await ProviderStage.runApple(logger: logger) { stage in
            let app = try await NativeApp(stage, audiences: [ProviderStage.appClient], provider: "apple")
            try await body(stage, app)
        }
    }

    private static func account(_ stage: ProviderStage) async throws -> UserAccount {
        let identity = try #require(
            try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person"))
        return try #require(try await stage.accounts.users.find(named: "\(identity.account)"))
    }

    private static func revocations(_ stage: ProviderStage) -> TokenRevocations {
        TokenRevocations(
            accounts: stage.accounts,
            providers: ProviderConnections(
                accounts: stage.accounts, settings(stage), addresses: ProviderAddresses()),
            interval: .seconds(3600), logger: TestServer.silent)
    }

    private static func settings(_ stage: ProviderStage) -> ProviderSettings {
        var settings = ProviderSettings()
        settings.standIns = [stage.provider.issuer: stage.provider.address]
        return settings
    }

    // MARK: Revocation

    @Test("A code of an app is redeemed, and the deletion of the account revokes what came of it")
    func deletion() async throws {
        try await Self.run { stage, app in
            let code = stage.provider.code(for: ProviderStage.appClient, subject: "person")
            #expect(try await app.signIn(["authorizationCode": .string(code)]).status == 200)
            #expect(try await stage.accounts.providers.identityTokens.count() == 1)
            let account = try await Self.account(stage)
            try await Self.revocations(stage).revokeDue()
            #expect(stage.provider.revoked.isEmpty)

            stage.provider.setManner { $0.revocationStatus = 503 }
            _ = try await stage.accounts.users.beginDeletion(email: account.idText, within: .everybody)
            try await stage.accounts.users.finishDeletion(account: account.id)
            #expect(try await stage.accounts.users.find(named: account.idText) == nil)
            try await Self.revocations(stage).revokeDue()
            #expect(try await stage.accounts.providers.identityTokens.count() == 1)

            stage.provider.setManner { $0.revocationStatus = 200 }
            try await Self.revocations(stage).revokeDue()
            #expect(stage.provider.revoked.isEmpty, "the second attempt is a minute later")
            stage.fixture.pass(seconds: 61)
            try await Self.revocations(stage).revokeDue()
            #expect(stage.provider.revoked == ["\(ProviderStage.appClient) refresh-\(code)"])
            #expect(try await stage.accounts.providers.identityTokens.count() == 0)
        }
    }

    @Test("Disconnecting revokes, and coming back does not") func disconnecting() async throws {
        try await Self.run { stage, app in
            let code = stage.provider.code(for: ProviderStage.appClient, subject: "person")
            _ = try await app.signIn(["authorizationCode": .string(code)])
            let account = try await Self.account(stage)
            _ = try await stage.accounts.users.setAddress("ann@example.org", email: account.idText)
            _ = try await stage.accounts.users.setPassword("a long password", email: account.idText)
            let key = try #require(try await stage.accounts.identities.all(of: account).first).key
            #expect(try await stage.accounts.identities.disconnect(key, from: account.id))
            #expect(try await stage.accounts.providers.identityTokens.due(atMost: 10).count == 1)
            _ = try await app.signIn()
            #expect(try await stage.accounts.providers.identityTokens.due(atMost: 10).isEmpty)
        }
    }

    @Test("A code of another person is not kept, and a code that Apple refuses keeps nobody out")
    func foreignCode() async throws {
        let book = LogBook()
        try await Self.run(logger: book.logger()) { stage, app in
            let foreign = stage.provider.code(for: ProviderStage.appClient, subject: "victim")
            let first = try await app.signIn(["authorizationCode": .string(foreign)])
            #expect(first.status == 200)
            #expect(try await app.signIn(["authorizationCode": .string("made-up")]).status == 200)
            #expect(try await stage.accounts.providers.identityTokens.count() == 0)
            #expect(book.lines(with: "the code is another person's").count == 1)
            #expect(book.lines(with: "refused the code: invalid_grant").count == 1)
        }
    }

    @Test("A token is sealed in the database, and not to be read from another row") func sealed() async throws {
        try await Self.run { stage, app in
            let code = stage.provider.code(for: ProviderStage.appClient, subject: "person")
            _ = try await app.signIn(["authorizationCode": .string(code)])
            let account = try await Self.account(stage)
            _ = try await stage.accounts.users.beginDeletion(email: account.idText, within: .everybody)
            try await stage.accounts.users.finishDeletion(account: account.id)
            let due = try #require(try await stage.accounts.providers.identityTokens.due(atMost: 1).first)
            #expect(!"\(due)".contains("refresh"))
            #expect(try await stage.accounts.providers.identityTokens.text(of: due).text == "refresh-\(code)")
        }
    }

    @Test("A token that never can be revoked is given up in the end") func givenUp() async throws {
        try await Self.run { stage, app in
            let code = stage.provider.code(for: ProviderStage.appClient, subject: "person")
            _ = try await app.signIn(["authorizationCode": .string(code)])
            let account = try await Self.account(stage)
            _ = try await stage.accounts.users.beginDeletion(email: account.idText, within: .everybody)
            try await stage.accounts.users.finishDeletion(account: account.id)
            stage.provider.setManner { $0.revocationStatus = 500 }
            for _ in 0..<TokenRevocations.mostAttempts {
                #expect(try await stage.accounts.providers.identityTokens.count() == 1)
                try await Self.revocations(stage).revokeDue()
                stage.fixture.pass(seconds: 86_401)
            }
            #expect(try await stage.accounts.providers.identityTokens.count() == 0)
        }
    }

    // MARK: Notices

    private static func notice(
        _ stage: ProviderStage, _ type: String, id: String = "n", _ changes: [String: JSONValue] = [:]
    ) -> String {
        let event = #"{"type":"\#(type)","sub":"person","event_time":1700000000000}"#
        let claims: [String: JSONValue] = [
            "iss": .string(stage.provider.issuer), "aud": .string(ProviderStage.appClient),
            "iat": .integer(stage.accounts.now().wholeSeconds), "jti": .string(id), "events": .string(event),
        ]
        return stage.provider.signed(claims.merging(changes) { $1 })
    }

    private static func send(
        _ stage: ProviderStage, _ payload: String, to name: String = "apple"
    ) async throws -> Answer {
        try await stage.server.send(
            .post, "/auth/with/\(name)/notices", body: ByteBuffer(string: #"{"payload":"\#(payload)"}"#))
    }

    @Test(
        "Withdrawn consent and a deleted account sign out and disconnect; the account stays",
        arguments: ["consent-revoked", "account-delete", "account-deleted"])
    func ended(type: String) async throws {
        let book = LogBook()
        try await Self.run(logger: book.logger()) { stage, app in
            let code = stage.provider.code(for: ProviderStage.appClient, subject: "person")
            let token = try #require(
                try await app.signIn(["authorizationCode": .string(code)])["ckWebAuthToken"]?.string)
            let account = try await Self.account(stage)
            #expect(try await Self.send(stage, Self.notice(stage, type)).status == 200)
            #expect(try await stage.accounts.identities.all(of: account).isEmpty)
            #expect(try await stage.accounts.reader().session(token) == nil)
            #expect(try await stage.accounts.users.find(named: account.idText) != nil)
            #expect(try await stage.accounts.providers.identityTokens.count() == 0)
            #expect(book.lines(with: "notice of a provider").count == 1)
            #expect(try await stage.accounts.audit.entries(limit: 1).first?.subject == "apple")
        }
    }

    @Test("A notice counts once: who came back meanwhile stays") func once() async throws {
        try await Self.run { stage, app in
            _ = try await app.signIn()
            let notice = Self.notice(stage, "consent-revoked")
            #expect(try await Self.send(stage, notice).status == 200)
            #expect(try await app.signIn().status == 200)
            #expect(try await Self.send(stage, notice).status == 200)
            #expect(try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person") != nil)
        }
    }

    @Test("Mail turned off at the relay is noted until it is turned on") func mail() async throws {
        try await Self.run { stage, app in
            stage.provider.setManner {
                $0.claims = ["email": .string("x@relay.example"), "is_private_email": .string("true")]
            }
            _ = try await app.signIn()
            #expect(try await !stage.accounts.identities.isMailOff(for: "x@relay.example"))
            #expect(try await Self.send(stage, Self.notice(stage, "email-disabled")).status == 200)
            #expect(try await stage.accounts.identities.isMailOff(for: "x@relay.example"))
            #expect(try await Self.send(stage, Self.notice(stage, "email-enabled", id: "m")).status == 200)
            #expect(try await !stage.accounts.identities.isMailOff(for: "x@relay.example"))
        }
    }

    @Test("A forged notice does nothing") func forged() async throws {
        try await Self.run { stage, app in
            _ = try await app.signIn()
            let good = Self.notice(stage, "consent-revoked")
            let parts = good.split(separator: ".").map(String.init)
            let forged: [String] = [
                Self.notice(stage, "consent-revoked", id: "1", ["aud": .string("com.example.stranger")]),
                Self.notice(stage, "consent-revoked", id: "2", ["iss": .string("https://evil.example")]),
                Self.notice(stage, "consent-revoked", id: "3", ["iat": .integer(1_600_000_000)]),
                Self.notice(stage, "consent-revoked", id: "4", ["iat": .integer(1_800_000_000)]),
                Self.notice(stage, "other-event", id: "5"),
                Self.notice(stage, "consent-revoked", id: "6", ["events": .string("{")]),
                Self.notice(stage, "consent-revoked", id: "", [:]),
                stage.provider.idToken(for: ProviderStage.appClient, nonce: "n"),
                "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))",
                "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).\(parts[1]).",
                "nonsense",
            ]
            for payload in forged {
                let answer = try await Self.send(stage, payload)
                #expect((400..<500).contains(answer.status), "\(answer.text)")
            }
            for body in ["", "{}", "[]", #"{"payload":1}"#] {
                let answer = try await stage.server.send(
                    .post, "/auth/with/apple/notices", body: ByteBuffer(string: body))
                #expect(answer.status == 400)
            }
            let huge = ByteBuffer(repeating: UInt8(ascii: " "), count: 65 << 10)
            #expect(try await stage.server.send(.post, "/auth/with/apple/notices", body: huge).status == 413)
            #expect(try await Self.send(stage, good, to: "none").status == 404)
            #expect(try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person") != nil)
        }
    }

    @Test("The name that Apple tells the app is the account's, and a relay's address is not") func name() async throws {
        try await Self.run { stage, app in
            stage.provider.setManner {
                $0.claims = [
                    "email": .string("x@relay.example"), "email_verified": .string("true"),
                    "is_private_email": .string("true"),
                ]
            }
            let name: JSONValue = .members(["givenName": .string("Mei"), "familyName": .string("Chen")])
            _ = try await app.signIn(["name": name])
            let account = try await Self.account(stage)
            #expect(account.givenName == "Mei" && account.familyName == "Chen" && account.email == nil)
        }
    }
}
