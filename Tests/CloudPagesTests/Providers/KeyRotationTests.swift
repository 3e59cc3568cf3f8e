import CloudAccounts
import CloudHTTP
import CloudModel
import TestCloud
import Testing

/// A provider that changes its keys while people sign in.
@Suite(.timeLimit(.minutes(10)))
struct KeyRotationTests {
    private static let app = "com.example.app"
    private static let lines = 8
    private static let rounds = 5
    private static let turns = 5

    /// Signs in by turns as an app and as a browser.
    private func signIn(_ stage: ProviderStage, _ app: NativeApp, asApp: Bool) async throws {
        if asApp {
            let answer = try await app.signIn()
            #expect(answer.status == 200, "\(answer.text)")
        } else {
            let answer = try await stage.signIn(WebVisitor(stage.server))
            #expect(answer.status == 303, "\(answer.text)")
        }
    }

    @Test("Keys are changed five times during 200 sign-ins, none of which is refused, with a fetch for each change")
    func underLoad() async throws {
        try await ProviderStage.run(provider: { $0.nativeAudiences = [Self.app] }) { stage in
            let app = try await NativeApp(stage, audiences: [Self.app])
            let nonce = try await app.nonce()
            let early = stage.provider.idToken(for: Self.app, nonce: nonce.hashed)
            for _ in 0..<Self.rounds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for line in 0..<Self.lines {
                        group.addTask {
                            for turn in 0..<Self.turns {
                                // The old key stays published for those who hold a token of it.
                                if line == 0, turn == Self.turns / 2 { stage.provider.rotate() }
                                try await signIn(stage, app, asApp: (line + turn).isMultiple(of: 2))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                stage.provider.dropOlderKeys()
                stage.fixture.pass(seconds: 61)
            }
            let fetches = stage.provider.requests.count { $0 == "/keys" }
            #expect(fetches == 1 + Self.rounds)
            // A key that is no longer published is no longer good.
            let answer = try await app.send(early, nonce.raw)
            #expect(answer.status == 401 && answer.text.contains("key id"), "\(answer.text)")
        }
    }

    @Test("A stranger's tokens with made-up keys have the keys fetched once a minute, and nobody is kept out")
    func madeUpKeys() async throws {
        try await ProviderStage.run(provider: { $0.nativeAudiences = [Self.app] }) { stage in
            let app = try await NativeApp(stage, audiences: [Self.app])
            for number in 0..<50 {
                stage.provider.setManner { $0.header["kid"] = .string("made up \(number)") }
                #expect(try await app.signIn().status == 401)
            }
            stage.provider.setManner { $0.header = [:] }
            #expect(try await app.signIn().status == 200)
            #expect(stage.provider.requests.count { $0 == "/keys" } == 2)
        }
    }
}
