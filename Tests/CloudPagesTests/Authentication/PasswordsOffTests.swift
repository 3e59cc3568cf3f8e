import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel
import CloudPages
import CloudServer
import CloudWire
import Foundation
import NIOCore
import TestCloud
import Testing

/// `signIn.passwords` off: no route takes a password, and people come in by other ways.
@Suite(.timeLimit(.minutes(10)))
struct PasswordsOffTests {
    private static func off(_ configuration: inout ServerConfiguration) {
        configuration.publicURL = "http://localhost"
        configuration.passwords = .off
        configuration.registration.isOpen = true
        configuration.consoleIsEnabled = true
    }

    /// A browser that is signed in by another way than a password.
    private static func signedIn(_ fixture: SignInFixture) async throws -> WebVisitor {
        let account = try #require(try await fixture.server.accounts.users.find(email: SignInFixture.email))
        let visitor = WebVisitor(fixture.server)
        visitor.setCookie(
            "cumulus_session",
            try await fixture.server.accounts.browserLogins.create(account: account, persistent: false))
        return visitor
    }

    private static let fields = [
        "email": SignInFixture.email, "password": SignInFixture.password, "current": SignInFixture.password,
    ]

    @Test(
        "Every form that takes a person's password refuses it",
        arguments: [
            ("/auth/signin", "/auth/signin", ["action": "signin"], 403), ("/auth/signin", "/auth/register", [:], 403),
            ("/auth/signin", "/auth/confirm", ["id": "x", "code": "1"], 403),
            ("/auth/signin", "/auth/forgot", [:], 403),
            ("/auth/signin", "/auth/reset", ["id": "x", "code": "1"], 403),
            ("/account", "/account", ["do": "password", "password": "another long word"], 403),
            ("/account", "/account/ways", ["do": "prove"], 401),
            ("/account", "/account/passkeys/options", ["do": "add"], 401), ("/account", "/account/delete", [:], 401),
            ("/console/signin", "/console/signin", [:], 403),
        ] as [(String, String, [String: String], Int)])
    func refused(page: String, path: String, more: [String: String], status: Int) async throws {
        try await SignInFixture.run(configure: Self.off) { fixture in
            let visitor = page == "/account" ? try await Self.signedIn(fixture) : WebVisitor(fixture.server)
            #expect(try await visitor.open(page).status == 200)
            let answer = try await visitor.submit(path, Self.fields.merging(more) { $1 })
            #expect(answer.status == status, "\(path): \(answer.text)")
            #expect(visitor.cookie("cumulus_proof") == nil && visitor.cookie("cumulus_console") == nil)
            let account = try #require(try await fixture.server.accounts.users.find(email: SignInFixture.email))
            #expect(try await fixture.server.accounts.users.isPassword(SignInFixture.password, of: account))
        }
    }

    @Test(
        "No page asks for a person's password",
        arguments: [
            "/auth/signin", "/auth/register", "/auth/forgot", "/auth/reset?id=x", "/account", "/account/delete",
        ])
    func shown(path: String) async throws {
        try await SignInFixture.run(configure: Self.off) { fixture in
            let visitor = path.hasPrefix("/account") ? try await Self.signedIn(fixture) : WebVisitor(fixture.server)
            let page = try await visitor.open(path)
            #expect([200, 403].contains(page.status), "\(page.text)")
            #expect(!page.text.contains(#"type="password""#), "\(page.text)")
        }
    }

    @Test("Every template with a person's password is in these tests") func templates() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Public/templates")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).contains(#"type="password""#)
        }
        // Those of share pages are about passwords of links.
        let persons = names.filter { !$0.hasPrefix("share-") }.sorted()
        #expect(
            persons == [
                "account-delete.mustache", "account-passkeys.mustache", "account-providers.mustache",
                "account.mustache",
                "code.mustache", "console-signin.mustache", "register.mustache", "signin-connect.mustache",
                "signin.mustache",
            ])
    }

    @Test("The sign-in page offers providers and passkeys, or says that there is no way") func offers() async throws {
        try await SignInFixture.run(configure: {
            Self.off(&$0)
            $0.publicURL = "http://192.0.2.1"
        }) { fixture in
            let page = try await WebVisitor(fixture.server).open("/auth/signin").text
            #expect(page.contains("Nobody can sign in on this server yet.") && !page.contains("passkeys.js"))
        }
        try await ProviderStage.run(configure: Self.off) { stage in
            let page = try await WebVisitor(stage.server).open("/auth/signin").text
            #expect(page.contains("/auth/with/id") && page.contains("passkeys.js"))
            #expect(!page.contains("/auth/forgot") && !page.contains("/auth/register"))
        }
    }

    @Test("Operators set no passwords over HTTP, and make sessions") func admin() async throws {
        try await SignInFixture.run(configure: Self.off) { fixture in
            let token = try await fixture.server.accounts.managementTokens.create(
                container: nil, name: "ci", scopes: Set(ManagementScope.allCases)
            ).text
            let send = { (method: HTTPRequest.Method, path: String, body: String) in
                try await fixture.server.send(
                    method, "/admin/1/\(path)", headers: [.authorization: "Bearer \(token)"],
                    body: ByteBuffer(string: body))
            }
            let person = "users/\(SignInFixture.email)"
            let set = try await send(.put, "\(person)/password", #"{"password": "another long word"}"#)
            #expect(set.status == 400 && set.reason.contains("signIn.passwords"), "\(set.text)")
            #expect(try await send(.post, "\(person)/reset", "{}").status == 400)
            let body = #"{"email": "\#(SignInFixture.email)", "container": "c", "environment": "production"}"#
            let session = try await send(.post, "sessions", body)
            #expect(session.status == 200, "\(session.text)")
        }
    }

    @Test("The owner of an address connects an identity by a mailed code") func connecting() async throws {
        try await ProviderStage.run(configure: Self.off, provider: { $0.trustsAddresses = true }) { stage in
            stage.provider.setManner { $0.claims = ["email": .string(SignInFixture.email)] }
            let visitor = WebVisitor(stage.server)
            #expect(try await stage.signIn(visitor).headers[.location] == "/auth/connect")
            let page = try await visitor.open("/auth/connect").text
            #expect(!page.contains(#"type="password""#) && page.contains(#"value="mail""#))
            #expect(try await visitor.submit("/auth/connect", Self.fields).status == 410)
            let sent = try await visitor.submit("/auth/connect", ["do": "mail"])
            #expect(sent.status == 200 && sent.text.contains(#"name="code""#), "\(sent.text)")
            let code = try await Self.code(in: stage.server.folder.outbox)
            let wrong = code == "00000000" ? "00000001" : "00000000"
            #expect(try await visitor.submit("/auth/connect", ["do": "connect", "code": wrong]).status == 401)
            // The code sets no password, even where its form is open.
            let id = try #require(sent.text.firstMatch(of: #/name="id" value="([0-9a-f]+)"/#)?.output.1)
            let reset = try await stage.accounts.passwordResets.finish(
                id: String(id), code: code, password: "another long word")
            #expect(reset == .wrong(attemptsLeft: 3))
            // The link in the mail shows the form again, in this browser alone.
            let link = "/auth/connect?id=\(id)"
            let mail = try FileManager.default.contentsOfDirectory(atPath: stage.server.folder.outbox).map {
                try String(contentsOfFile: stage.server.folder.outbox + "/" + $0, encoding: .utf8)
            }
            #expect(mail.contains { $0.contains("\(link)\n") })
            #expect(try await WebVisitor(stage.server).open(link).headers[.location] == "/auth/signin?other=1")
            #expect(try await visitor.open(link).text.contains(#"name="code""#))
            #expect(try await visitor.submit("/auth/connect", ["do": "connect", "code": code]).status == 303)
            #expect(try await stage.account(visitor)?.email == SignInFixture.email)
            let again = WebVisitor(stage.server)
            _ = try await stage.signIn(again)
            #expect(try await stage.account(again)?.email == SignInFixture.email)
        }
    }

    @Test("A code for a new password connects nothing, and one account's code proves no other")
    func foreignCodes() async throws {
        try await SignInFixture.run(configure: Self.off) { fixture in
            let accounts = fixture.server.accounts
            let mei = try #require(try await accounts.users.find(email: SignInFixture.email))
            let other = try await accounts.users.create(email: "ben@example.com")
            let reset = try await accounts.passwordResets.begin(email: SignInFixture.email)
            let code = try #require(reset.code)
            #expect(
                try await accounts.addressProofs.finish(id: reset.id, code: code, of: mei) == .wrong(attemptsLeft: 4))
            let proof = try #require(try await accounts.addressProofs.begin(for: mei))
            #expect(
                try await accounts.addressProofs.finish(id: proof.id, code: proof.code, of: other)
                    == .wrong(attemptsLeft: 4))
            #expect(try await accounts.addressProofs.finish(id: proof.id, code: proof.code, of: mei) == .proven)
            #expect(try await accounts.addressProofs.finish(id: proof.id, code: proof.code, of: mei) == .gone)
        }
    }

    @Test("A password is no way in that would let the last identity go") func lastWay() async throws {
        try await ProviderStage.run(configure: Self.off) { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            let account = try #require(try await stage.account(visitor))
            _ = try await stage.accounts.users.setAddress("kim@example.com", email: account.idText)
            _ = try await stage.accounts.users.setPassword("another long word", email: account.idText)
            let again = WebVisitor(stage.server)
            _ = try await stage.signIn(again)
            let page = try await again.open("/account").text
            let key = try #require(page.firstMatch(of: #/name="identity" value="([^"]*)"/#)?.output.1)
            let answer = try await again.submit("/account/ways", ["do": "disconnect", "identity": String(key)])
            #expect(answer.status == 409)
        }
    }

    /// The code of the only message, which is sent in the background.
    private static func code(in outbox: String) async throws -> String {
        while !Task.isCancelled {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: outbox)) ?? []
            for name in names {
                let text = (try? String(contentsOfFile: outbox + "/" + name, encoding: .utf8)) ?? ""
                if let code = text.firstMatch(of: #/\b([0-9]{8})\b/#)?.output.1 { return String(code) }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CancellationError()
    }
}
