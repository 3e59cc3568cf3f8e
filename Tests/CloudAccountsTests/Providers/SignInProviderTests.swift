import CloudAccounts
import CloudEngine
import CloudIdentity
import CloudModel
import CloudSQL
import Foundation
import TestEngine
import TestStore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignInProviderTests {
    private static let secret = ProviderSecret("correct horse battery")
    private static let applePEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPKQbzeKFL7yAhxtW
        ZmuSAFgr3eJj5RjZy6LIY84O2oahRANCAATEcjEOu0unSWdpA+XHXitLThCw9eEx
        6LtuHCnQeB2bjstVNFr/PKk7PSScVgxcoa/cQIuRbUgUaVBYqwrpOO/U
        -----END PRIVATE KEY-----
        """
    private static let tenant = "11111111-2222-3333-4444-555555555555"

    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    private func provider(_ name: String = "work") -> SignInProvider {
        SignInProvider(name: name, kind: .oidc, clientID: "client", issuer: "https://id.example.com")
    }

    @Test("A provider comes back as it was added, in every process") func addition() async throws {
        var provider = provider()
        provider.title = "Our  work"
        provider.clientAuthentication = .post
        provider.scopes = ["openid", "email", "openid"]
        provider.admission = .domains(["Example.COM", "b\u{fc}cher.example", "example.com"])
        provider.trustsAddresses = true
        provider.startsAtOnce = true
        provider.groupsClaim = "roles"
        provider.nativeAudiences = ["com.example.app"]
        let added = try await accounts.providers.add(provider, secret: Self.secret)
        #expect(added.title == "Our work")
        #expect(added.scopes == ["openid", "email"])
        #expect(added.admission == .domains(["example.com", "xn--bcher-kva.example"]))
        let other = try fixture.open()
        let found = try #require(try await other.providers.find(name: "work"))
        #expect(found == added)
        #expect(try await other.providers.secret(of: found).text == Self.secret.text)
        #expect(try await other.providers.find(name: "WORK") == nil)
        #expect(found.callbackPath == "/auth/with/work")
    }

    @Test("A server notices what another process adds, changes and removes") func otherProcess() async throws {
        let other = try fixture.open()
        #expect(try await other.providers.all().isEmpty)
        _ = try await accounts.providers.add(provider("a"), secret: Self.secret)
        _ = try await accounts.providers.add(provider("b"), secret: Self.secret)
        other.readAnew()
        #expect(try await other.providers.all().map(\.name) == ["a", "b"])
        _ = try await accounts.providers.update(name: "a") { $0.title = "A" }
        other.readAnew()
        #expect(try await other.providers.all().map(\.title) == ["A", "OpenID Connect"])
        try await accounts.providers.remove(name: "a")
        other.readAnew()
        #expect(try await other.providers.all().map(\.name) == ["b"])
    }

    @Test("A secret is neither in the database's file nor in descriptions and dumps") func secrecy() async throws {
        let added = try await accounts.providers.add(provider(), secret: Self.secret)
        var shown = ""
        dump(added, to: &shown)
        dump(Self.secret, to: &shown)
        shown += "\(added) \(String(reflecting: added)) \(Self.secret) \(String(reflecting: Self.secret))"
        #expect(!shown.contains("horse"))
        for suffix in ChosenEngine.isPostgres ? [] : ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: fixture.folder.accountsFile + suffix))
            #expect(bytes.range(of: Data(Self.secret.text.utf8)) == nil)
        }
    }

    @Test("A sealed secret that is moved to another row does not open") func movedSecret() async throws {
        _ = try await accounts.providers.add(provider("a"), secret: Self.secret)
        _ = try await accounts.providers.add(provider("b"), secret: ProviderSecret("other"))
        try await accounts.database.pool.write { db in
            _ = try db.run(
                "UPDATE provider SET secret = (SELECT secret FROM provider WHERE name = 'a') WHERE name = 'b'")
        }
        let moved = try await accounts.providers.require(name: "b")
        let error = await #expect(throws: ServerError.self) { try await accounts.providers.secret(of: moved) }
        #expect(error?.reason.contains("another server's key") == true)
        // The operator gives it again.
        let (_, mended) = try await accounts.providers.update(name: "b", secret: ProviderSecret("new")) { _ in }
        #expect(try await accounts.providers.secret(of: mended).text == "new")
    }

    @Test("A change keeps the secret, and an issuer of another origin needs it again") func changes() async throws {
        _ = try await accounts.providers.add(provider(), secret: Self.secret)
        let (old, new) = try await accounts.providers.update(name: "work") {
            $0.issuer = "https://id.example.com/realms/a"
            $0.admission = .invited
        }
        #expect((old.admission, new.admission) == (.everybody, .invited))
        #expect(try await accounts.providers.secret(of: new).text == Self.secret.text)
        for issuer in ["https://evil.example", "https://id.example.com:8443", "http://id.example.com"] {
            let error = await #expect(throws: ServerError.self) {
                try await accounts.providers.update(name: "work") {
                    $0.issuer = issuer
                    $0.allowsHTTP = true
                }
            }
            #expect(error?.reason.contains("secret") == true, "\(issuer)")
        }
        let (_, moved) = try await accounts.providers.update(name: "work", secret: ProviderSecret("s")) {
            $0.issuer = "https://new.example"
        }
        #expect(moved.issuer == "https://new.example")
        #expect(try await accounts.providers.require(name: "work") == moved)
    }

    @Test("Unknown names are not found, and a name is taken once") func names() async throws {
        _ = try await accounts.providers.add(provider(), secret: Self.secret)
        let taken = await #expect(throws: ServerError.self) {
            try await accounts.providers.add(provider(), secret: Self.secret)
        }
        #expect(taken?.code == .exists)
        for name in ["other", "", "a\0b", "Work"] {
            let gone = await #expect(throws: ServerError.self) { try await accounts.providers.remove(name: name) }
            #expect(gone?.code == .notFound)
            let unknown = await #expect(throws: ServerError.self) {
                try await accounts.providers.update(name: name) { _ in }
            }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("There are at most 50 providers") func most() async throws {
        for number in 1...ProviderLimits.providers {
            _ = try await accounts.providers.add(provider("p\(number)"), secret: Self.secret)
        }
        let error = await #expect(throws: ServerError.self) {
            try await accounts.providers.add(provider("more"), secret: Self.secret)
        }
        #expect(error?.reason.contains("50") == true)
        #expect(try await accounts.providers.all().count == 50)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hint: String
        let change: @Sendable (inout SignInProvider) -> Void

        init(_ name: String, _ hint: String, _ change: @escaping @Sendable (inout SignInProvider) -> Void) {
            (testDescription, self.hint, self.change) = (name, hint, change)
        }
    }

    private static let wrong: [Wrong] = [
        Wrong("empty title", "title: must be 1 to 64") { $0.title = " " },
        Wrong("long title", "title: must be 1 to 64") { $0.title = String(repeating: "x", count: 65) },
        Wrong("line break in title", "title: ") { $0.title = "a\nb" },
        Wrong("empty client", "clientID: must be 1 to 255") { $0.clientID = "" },
        Wrong("client of other letters", "clientID: ") { $0.clientID = "\u{fc}" },
        Wrong("no issuer", "issuer: is missing") { $0.issuer = "" },
        Wrong("insecure issuer", "http://") { $0.issuer = "http://id.example.com" },
        Wrong("issuer with a user", "user name") { $0.issuer = "https://a:b@id.example.com" },
        Wrong("issuer with a query", "query") { $0.issuer = "https://id.example.com/?a" },
        Wrong("discovery as issuer", "leave") {
            $0.issuer = "https://id.example.com/.well-known/openid-configuration"
        },
        Wrong("no openid", "must have openid") { $0.scopes = ["email"] },
        Wrong("scope with a space", "scopes: ") { $0.scopes = ["openid", "a b"] },
        Wrong("many scopes", "at most 20") { $0.scopes = ["openid"] + (0..<20).map { "s\($0)" } },
        Wrong("no domain", "1 to 100 names") { $0.admission = .domains([]) },
        Wrong("wrong domain", "is not a domain") { $0.admission = .domains(["a@example.com"]) },
        Wrong("many groups", "1 to 100 names") { $0.admission = .groups((0..<101).map { "g\($0)" }) },
        Wrong("empty group", "a group has 1 to 255") { $0.admission = .groups([""]) },
        Wrong("tenants of another kind", "kind microsoft") { $0.tenants = [tenant] },
        Wrong("a team of another kind", "kind apple") { $0.appleKey = .init(team: "A", key: "B") },
        Wrong("many audiences", "at most 20") { $0.nativeAudiences = (0..<21).map { "a\($0)" } },
    ]

    /// The error of adding a provider; nil if it was added.
    private func refusal(of provider: SignInProvider, _ secret: ProviderSecret) async -> ServerError? {
        do {
            _ = try await accounts.providers.add(provider, secret: secret)
            return nil
        } catch { return error as? ServerError }
    }

    @Test("A wrong field is refused by its name and limit", arguments: wrong) func refusals(wrong: Wrong) async throws {
        var provider = provider()
        wrong.change(&provider)
        let error = await refusal(of: provider, Self.secret)
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains(wrong.hint) == true, "\(error?.reason ?? "")")
    }

    @Test("A wrong name or secret is refused") func wrongNames() async throws {
        for name in ["", "Work", "a_b", "-a", "a/b", String(repeating: "a", count: 33)] {
            await #expect(throws: ServerError.self) {
                try await accounts.providers.add(provider(name), secret: Self.secret)
            }
        }
        for secret in ["", "a\nb", "\u{e9}", String(repeating: "x", count: 8193)] {
            await #expect(throws: ServerError.self) {
                try await accounts.providers.add(provider(), secret: ProviderSecret(secret))
            }
        }
        #expect(try await accounts.providers.all().isEmpty)
    }

    @Test("Kinds with one issuer have it, and no other") func fixedIssuers() async throws {
        let google = SignInProvider(name: "google", kind: .google, clientID: "c")
        #expect(google.issuer == "https://accounts.google.com")
        _ = try await accounts.providers.add(google, secret: Self.secret)
        let other = SignInProvider(name: "g", kind: .google, clientID: "c", issuer: "https://id.example.com")
        await #expect(throws: ServerError.self) { try await accounts.providers.add(other, secret: Self.secret) }
        var plain = SignInProvider(name: "g", kind: .github, clientID: "c")
        plain.allowsHTTP = true
        #expect(await refusal(of: plain, Self.secret) != nil)
        #expect(plain.discoveryAddress == nil)
    }

    @Test("Microsoft's discovery follows the tenants that may come in") func microsoft() async throws {
        var provider = SignInProvider(name: "ms", kind: .microsoft, clientID: "c")
        #expect(await refusal(of: provider, Self.secret) != nil)
        let base = "https://login.microsoftonline.com/"
        let end = "/v2.0/.well-known/openid-configuration"
        provider.tenants = [Self.tenant]
        #expect(provider.discoveryAddress == base + Self.tenant + end)
        #expect(provider.discoveryIssuer == base + Self.tenant + "/v2.0")
        provider.tenants.append("22222222-2222-3333-4444-555555555555")
        #expect(provider.discoveryAddress == base + "organizations" + end)
        #expect(provider.discoveryIssuer == base + "{tenantid}/v2.0")
        provider.tenants.append(IssuerRule.personalTenant.uppercased())
        let added = try await accounts.providers.add(provider, secret: Self.secret)
        #expect(added.discoveryAddress == base + "common" + end)
    }

    @Test("Apple's key is checked with its team and key id") func apple() async throws {
        let pem = Self.applePEM
        var provider = SignInProvider(name: "apple", kind: .apple, clientID: "com.example.web")
        #expect(await refusal(of: provider, ProviderSecret(pem)) != nil)
        provider.appleKey = .init(team: "ABCDE12345", key: "KEY1234567")
        let noKey = await refusal(of: provider, ProviderSecret("secret"))
        #expect(noKey?.reason.contains("P-256") == true)
        let added = try await accounts.providers.add(provider, secret: ProviderSecret(pem))
        #expect(try await accounts.providers.secret(of: added).text == pem)
        await #expect(throws: ServerError.self) {
            try await accounts.providers.update(name: "apple") { $0.appleKey = .init(team: "short", key: "KEY1234567") }
        }
    }

    @Test(
        "The rule of a provider judges addresses that it vouches for, and groups",
        arguments: [
            (SignInAdmission.everybody, nil, [], SignInAdmission.Verdict.admitted),
            (.invited, nil, [], .onlyInvited), (.nobody, "a@example.com", ["staff"], .refused(.nobody)),
            (.domains(["example.com"]), "Ann@Example.com", [], .admitted),
            (.domains(["example.com"]), "ann@sub.example.com", [], .refused(.domain)),
            (.domains(["example.com"]), "ann@example.com.evil.example", [], .refused(.domain)),
            (.domains(["example.com"]), nil, [], .refused(.address)),
            (.domains(["xn--bcher-kva.example"]), "ann@b\u{fc}cher.example", [], .admitted),
            (.groups(["staff"]), nil, ["guests", "staff"], .admitted),
            (.groups(["staff"]), "a@example.com", ["Staff", "staff "], .refused(.group)),
            (.groups(["staff"]), nil, [], .refused(.group)),
        ] as [(SignInAdmission, String?, [String], SignInAdmission.Verdict)])
    func admission(rule: SignInAdmission, address: String?, groups: [String], verdict: SignInAdmission.Verdict) {
        #expect(rule.verdict(address: address, groups: groups) == verdict)
    }
}
