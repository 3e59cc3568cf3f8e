import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import CloudWire
import TestCloud
import Testing

/// Attempts to get in as somebody else by a provider, and to keep the server or a browser busy with sign-ins.
@Suite(.timeLimit(.minutes(10)))
struct ProviderAttackTests {
    private static let forwarded = HTTPField.Name("X-Forwarded-For")!

    @Test(
        "An address that a trusted provider calls unconfirmed takes no account, one that it confirms or says nothing of does",
        arguments: [
            (JSONValue.bool(false), false), (.string("false"), false), (.null, false), (.integer(1), false),
            (.bool(true), true), (nil, true),
        ] as [(JSONValue?, Bool)])
    func unconfirmed(verified: JSONValue?, isProof: Bool) async throws {
        try await ProviderStage.run(provider: { $0.trustsAddresses = true }) { stage in
            let invited = try await stage.accounts.users.create(email: "invited@example.org")
            for (subject, email) in [("guest", "invited@example.org"), ("owner", SignInFixture.email)] {
                stage.provider.setManner {
                    $0.subject = subject
                    $0.claims = ["email": .string(email)]
                    $0.claims["email_verified"] = verified
                }
                let visitor = WebVisitor(stage.server)
                let answer = try await stage.signIn(visitor)
                let account = try await stage.account(visitor)
                if subject == "guest" {
                    #expect((account?.id == invited.id) == isProof)
                    #expect(isProof || account?.email == nil)
                } else {
                    // A confirmed account's owner is asked for a proof; others are told nothing of the account.
                    #expect((answer.headers[.location] == "/auth/connect") == isProof)
                    #expect((account == nil) == isProof)
                }
            }
        }
    }

    @Test("Codes that are made up are asked for at the provider as often as an address may guess, and no more")
    func madeUpCodes() async throws {
        try await ProviderStage.run(configure: {
            $0.guessing.perAddress = 3
            $0.trustForwardedFor = true
        }) { stage in
            func signIn(from address: String, code: String? = nil) async throws -> Int {
                stage.provider.setManner { $0.answer = code.map { ["code": $0] } ?? [:] }
                let visitor = WebVisitor(stage.server)
                let begun = try await stage.begin(visitor)
                let query = FormFields((begun.split(separator: "?").last ?? "").utf8)
                let name = try #require(ProviderStage.cookie(of: query["state"] ?? ""))
                let cookie = "\(name)=\(visitor.cookie(name) ?? "")"
                return try await stage.server.send(
                    .get, try stage.agree(begun), headers: [.cookie: cookie, Self.forwarded: address]
                ).status
            }
            for _ in 0..<5 { #expect(try await signIn(from: "192.0.2.1") == 303) }
            let statuses = try await (0..<5).asyncMap { try await signIn(from: "192.0.2.1", code: "made up \($0)") }
            #expect(statuses == [400, 400, 400, 429, 429])
            #expect(stage.provider.requests.count { $0 == "/token" } == 8)
            #expect(try await signIn(from: "192.0.2.2") == 303)
        }
    }

    @Test("A provider that is down costs nobody an attempt") func down() async throws {
        try await ProviderStage.run(configure: {
            $0.guessing.perAddress = 2
            $0.trustForwardedFor = true
        }) { stage in
            stage.provider.setManner { ($0.tokenBody, $0.tokenStatus) = ("<html>", 502) }
            for _ in 0..<4 {
                let visitor = WebVisitor(stage.server)
                let begun = try await stage.begin(visitor)
                let query = FormFields((begun.split(separator: "?").last ?? "").utf8)
                let name = try #require(ProviderStage.cookie(of: query["state"] ?? ""))
                let cookie = "\(name)=\(visitor.cookie(name) ?? "")"
                let answer = try await stage.server.send(
                    .get, try stage.agree(begun), headers: [.cookie: cookie, Self.forwarded: "192.0.2.1"])
                #expect(answer.status == 503)
            }
        }
    }

    @Test("Sign-ins that another site begins with long paths leave a browser with few bytes of cookies")
    func longPaths() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let path = "/" + String(repeating: "x", count: 1999)
            var names: [String] = []
            var begun = ""
            for _ in 0..<6 {
                begun = try await stage.begin(visitor, "/auth/with/id?return=\(path)")
                let query = FormFields((begun.split(separator: "?").last ?? "").utf8)
                names.append(try #require(ProviderStage.cookie(of: query["state"] ?? "")))
            }
            let bytes = names.compactMap { visitor.cookie($0)?.utf8.count }
            #expect(bytes.reduce(0, +) <= 4096 && bytes.count == 1)
            #expect(try await visitor.open(try stage.agree(begun)).headers[.location] == path)
        }
    }
}
