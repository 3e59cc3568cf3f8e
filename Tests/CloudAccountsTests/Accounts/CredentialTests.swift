import CloudAccounts
import CloudEngine
import CloudModel
import CloudCrypto
import Foundation
import TestEngine
import TestStore
import Testing

struct CredentialTests {
    let fixture: AccountFixture
    let accounts: AccountStore
    let other: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
        other = try fixture.open()
    }

    @Test("An API token is found by its text") func apiToken() async throws {
        _ = try await accounts.containers.create(name: "c")
        let (text, token) = try await accounts.apiTokens.create(
            container: "c", environment: .production, name: "web",
            allowedOrigins: ["HTTPS://App.example.com:443/", "http://localhost:3000"],
            signInCallback: "cloudkit-c://done", audiences: ["com.example.app", "web", "com.example.app"])
        #expect(text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        #expect(token.hint == text.prefix(8))
        let found = try #require(try await other.reader().apiToken(text))
        #expect(found == token)
        #expect(found.allowedOrigins == ["https://app.example.com", "http://localhost:3000"])
        #expect(found.audiences == ["com.example.app", "web"])
        #expect(try await other.reader().apiToken(String(text.reversed())) == nil)
    }

    @Test("A malformed audience is refused, and so are too many") func audiences() async throws {
        _ = try await accounts.containers.create(name: "c")
        let many = (0...ProviderLimits.audiences).map { "app\($0)" }
        for names in [[""], ["a\nb"], ["ä"], [String(repeating: "a", count: 256)], many] {
            let error = await #expect(throws: ServerError.self) {
                _ = try await accounts.apiTokens.create(
                    container: "c", environment: .development, name: "app", audiences: names)
            }
            #expect(error?.code == .badRequest && error?.reason.hasPrefix("audiences: at most 20") == true)
        }
    }

    @Test(
        "A malformed allowed origin is refused",
        arguments: [
            "app.example.com", "https://", "https://a/b", "*", "https://a?b", "https://*.example.com", "https://*",
            "http://localhost:*", "https://a.example:0", "https://a.example:65536", "https://.example.com",
            "https://a..example.com", "https://a%2Ab.example.com", "https://.",
        ])
    func wrongOrigin(_ origin: String) async throws {
        _ = try await accounts.containers.create(name: "c")
        let error = await #expect(throws: ServerError.self) {
            _ = try await accounts.apiTokens.create(
                container: "c", environment: .development, name: "web", allowedOrigins: [origin])
        }
        #expect(error?.reason.contains(origin) == true)
    }

    @Test(
        "An allowed origin is stored in the form that browsers send",
        arguments: [
            ("https://a.example.com", "https://a.example.com"), ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
            ("http://[::1]:8080", "http://[::1]:8080"), ("capacitor://localhost", "capacitor://localhost"),
            ("chrome-extension://abcdefghijklmnop", "chrome-extension://abcdefghijklmnop"),
            ("https://my_app.example.com", "https://my_app.example.com"),
            ("https://xn--mnchen-3ya.example", "https://münchen.example"),
            ("https://MÜNCHEN.example", "https://münchen.example"),
        ])
    func storedOrigin(_ origin: String, kept: String) async throws {
        _ = try await accounts.containers.create(name: "c")
        let (_, token) = try await accounts.apiTokens.create(
            container: "c", environment: .development, name: "web", allowedOrigins: [origin])
        #expect(token.allowedOrigins == [kept])
    }

    @Test("A malformed sign-in callback is refused", arguments: ["javascript:alert(1)", "/path", "data://x"])
    func wrongCallback(_ callback: String) async throws {
        _ = try await accounts.containers.create(name: "c")
        await #expect(throws: ServerError.self) {
            _ = try await accounts.apiTokens.create(
                container: "c", environment: .development, name: "web", signInCallback: callback)
        }
    }

    /// RFC 8252: apps that cannot register a scheme listen on the loopback, at whatever port is free.
    @Test(
        "A valid sign-in callback is accepted",
        arguments: [
            ("https://a.example/in?x=1#top", true, true), ("HTTPS://a.example", true, true),
            ("myapp://done", true, true),
            ("com.example.app://in", true, true), ("http://127.0.0.1:49152/in", true, true),
            ("http://127.0.0.1/in", true, true), ("http://[::1]:1/in", true, true),
            ("http://localhost:3000/in", true, true), ("http://LOCALHOST/", true, true),
            ("http://a.example/in", false, true), ("http://127.0.0.1.a.example/", false, true),
            ("http://localhost.a.example/", false, true), ("http://10.0.0.1/", false, true),
            ("http://localhost@a.example/", false, false), ("https://me:secret@a.example/", false, false),
            ("https:///in", false, false), ("https://a.example/\r\nSet-Cookie: x", false, false),
            ("https://a.example/\u{0}", false, false), ("https://a.example/\u{7F}", false, false),
            ("https://a.example/\u{85}", false, false), ("https://a.example/\u{2028}", false, false),
            ("https://a.example/\u{202E}x", false, false), ("https://a.example/a b", false, false),
            ("https://a.example\\@b.example/", false, false), ("my app://done", false, false),
            ("1app://done", false, false), ("://done", false, false), ("filesystem://x", false, false),
        ])
    func callbacks(_ callback: String, inProduction: Bool, inDevelopment: Bool) async throws {
        _ = try await accounts.containers.create(name: "c")
        for (environment, isFine) in [(ContainerEnvironment.production, inProduction), (.development, inDevelopment)] {
            do {
                let (_, token) = try await accounts.apiTokens.create(
                    container: "c", environment: environment, name: "web", signInCallback: callback)
                #expect(isFine && token.signInCallback == callback, "\(environment)")
            } catch let error as ServerError {
                #expect(!isFine && error.code == .badRequest, "\(environment): \(error.reason)")
                #expect(error.reason.contains("sign-in callback") && !error.reason.contains("secret"))
            }
        }
    }

    @Test("A revoked API token is refused at once in every process") func revokedToken() async throws {
        _ = try await accounts.containers.create(name: "c")
        let (text, token) = try await accounts.apiTokens.create(container: "c", environment: .development, name: "web")
        #expect(try await other.reader().apiToken(text) != nil)
        try await accounts.apiTokens.revoke(id: token.id)
        #expect(try await other.reader().apiToken(text) == nil)
        #expect(try await accounts.reader().apiToken(text) == nil)
        let error = await #expect(throws: ServerError.self) { try await accounts.apiTokens.revoke(id: token.id) }
        #expect(error?.code == .notFound)
    }

    @Test("A revoked server key is refused at once and stays listed") func revokedKey() async throws {
        _ = try await accounts.containers.create(name: "c")
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let key = try await accounts.serverKeys.add(container: "c", environment: .production, name: "ci", pem: pem)
        #expect(key.id.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        #expect(key.userRecordName.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil)
        #expect(try await other.reader().serverKey(key.id)?.publicKey.pemRepresentation == pem)
        try await accounts.serverKeys.revoke(id: key.id)
        #expect(try await other.reader().serverKey(key.id) == nil)
        #expect(try await accounts.serverKeys.list().map(\.revoked) == [true])
    }

    @Test(
        "A public key that cannot be read is refused",
        arguments: [
            "", "no key", "PsybDf5UWfMPY3gfM6dIpsAElLYoMlH0rUHGOICI5kX=",
            P256.Signing.PrivateKey().publicKey.pemRepresentation.replacing("PUBLIC", with: "PRIVATE"),
        ])
    func wrongKey(_ pem: String) async throws {
        _ = try await accounts.containers.create(name: "c")
        let error = await #expect(throws: ServerError.self) {
            _ = try await accounts.serverKeys.add(container: "c", environment: .production, name: "ci", pem: pem)
        }
        #expect(error?.code == .badRequest)
    }

    @Test(
        "The database files hold no secret in plain text",
        .enabled(if: !ChosenEngine.isPostgres, "reads the bytes of SQLite's files"))
    func plainText() async throws {
        let container = try await accounts.containers.create(name: "c")
        let (token, _) = try await accounts.apiTokens.create(container: "c", environment: .development, name: "web")
        _ = try await accounts.users.create(email: "a@example.com")
        _ = try await accounts.users.setPassword("correct horse battery", email: "a@example.com")
        let session = try await accounts.sessions.create(
            email: "a@example.com", container: container, environment: .development)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: fixture.folder.accountsFile + suffix))
            for secret in [token, session.token, String(session.token.dropFirst(6)), "correct horse battery"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }
        }
    }
}
