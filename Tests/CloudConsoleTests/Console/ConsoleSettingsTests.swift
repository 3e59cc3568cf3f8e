@testable import CloudWire
import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudServer
import TestCloud
import CloudAssets
import CloudModel
import Foundation
import TestEngine
import Testing

/// What operators set up in the console: credentials, operators, pages, backups, accounts.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleSettingsTests {
    private static let container = "iCloud.com.example.test"
    private static let settings = "/console/settings/"

    @Test("A new token is shown once, works, and is revoked")
    func tokens() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: Self.container)
            let visitor = WebVisitor(server)
            let path = Self.settings + "credentials"
            _ = try await visitor.open(path)
            let made = try await visitor.submit(
                path,
                [
                    "do": "token", "container": Self.container, "environment": "production", "name": "web <b>",
                    "origins": " ",
                ])
            #expect(made.status == 200, "\(made.text)")
            let token = try #require(made.text.firstMatch(of: #/<code dir="ltr">([^<]+)</#)?.output.1)
            var app = server.app(Self.container, environment: "production")
            app.apiToken = String(token)
            #expect(try await app.get("public/zones/list").status == 200)
            let other = [
                "do": "token", "container": Self.container, "environment": "development", "name": "other",
                "origins": "https://a.example\r\nhttps://b.example",
            ]
            #expect(try await visitor.submit(path, other).status == 200)
            let page = try await visitor.open(path).text
            #expect(!page.contains(token) && page.contains("web &lt;b&gt;"))
            #expect(page.contains("https://a.example https://b.example"))
            let id = try #require(
                try await server.accounts.apiTokens.list(container: Self.container).first { $0.name != "other" }?.id)
            #expect(try await visitor.submit(path, ["do": "revoke-token", "id": "\(id)"]).status == 303)
            #expect(try await app.get("public/zones/list").status == 401)
        }
    }

    @Test("A management token has the chosen scopes, and an invalid form creates no credential")
    func managementTokens() async throws {
        try await TestServer.run { server in
            let visitor = WebVisitor(server)
            let path = Self.settings + "credentials"
            _ = try await visitor.open(path)
            let made = try await visitor.submit(
                path, ["do": "management-token", "name": "ci", "scopes": "schema", "days": "3", "container": ""])
            #expect(made.text.contains("It is shown this once"), "\(made.text)")
            let token = try #require(try await server.accounts.managementTokens.list().first)
            #expect(token.scopes == [.schema] && token.expires != nil && token.container == nil)
            let wrong: [([String: String], String)] = [
                (["do": "management-token", "name": "ci"], "Choose at least one scope"),
                (["do": "management-token", "name": "ci", "scopes": "all"], "there is no scope"),
                (["do": "management-token", "name": "ci", "scopes": "schema", "days": "many"], "Days must be"),
                (["do": "management-token", "scopes": "schema"], "Name is missing"),
                (
                    [
                        "do": "key", "container": Self.container, "environment": "development", "name": "k",
                        "publicKey": "none",
                    ], "P-256 public key"
                ),
                (["do": "token", "container": "none", "environment": "development", "name": "t"], "does not exist"),
                (["do": "revoke-token", "id": "no"], "Id"), (["do": "revoke-token", "id": "77"], "77"),
                (["do": "nothing"], "names no action"),
            ]
            for (fields, reason) in wrong {
                let answer = try await visitor.submit(path, fields)
                #expect([400, 404].contains(answer.status) && answer.text.contains(reason), "\(fields) \(answer.text)")
            }
            #expect(try await server.accounts.managementTokens.list().count == 1)
        }
    }

    @Test("Operators are added, change their role and are removed")
    func operators() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            _ = try await ines.server.accounts.users.create(email: "omar@example.com")
            let path = Self.settings + "operators"
            _ = try await ines.visitor.open(path)
            for fields in [
                ["do": "add", "email": "omar@example.com", "role": "viewer"],
                ["do": "role", "email": "omar@example.com", "role": "editor"],
            ] {
                let answer = try await ines.visitor.submit(path, fields)
                #expect(answer.status == (fields["do"] == "add" ? 200 : 303), "\(answer.text)")
            }
            let roles = try await ines.server.accounts.operators.list().map {
                "\($0.account.handle) \($0.role.rawValue)"
            }
            #expect(roles.contains("omar@example.com editor"))
            for fields in [
                ["do": "add", "email": "nobody@example.com", "role": "viewer"],
                ["do": "add", "email": "omar@example.com", "role": "king"],
            ] {
                let answer = try await ines.visitor.submit(path, fields)
                #expect(answer.status == 400 && answer.text.contains("id=\"problem\""), "\(answer.text)")
            }
            let removed = try await ines.visitor.submit(path, ["do": "remove", "email": "omar@example.com"])
            #expect(removed.status == 303)
            #expect(try await ines.server.accounts.operators.list().count == 1)
        }
    }

    @Test("A record type's page rule is set and removed, and an invalid rule stays in its field")
    func pages() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: Self.container)
            let visitor = WebVisitor(server)
            let path = Self.settings + "pages"
            _ = try await visitor.open(path)
            for rule in ["{\"<b>", #"{"recordType": "Note"}"#, "[]"] {
                let answer = try await visitor.submit(path, ["do": "set", "container": Self.container, "rule": rule])
                #expect(answer.status == 400 && answer.text.contains("id=\"problem\""), "\(answer.text)")
                #expect(answer.text.contains(rule.replacing("<b>", with: "&lt;b&gt;").replacing("\"", with: "&quot;")))
            }
            let rule = #"{"recordType": "Note", "title": "{title}"}"#
            let set = try await visitor.submit(path, ["do": "set", "container": Self.container, "rule": rule])
            #expect(set.status == 303, "\(set.text)")
            #expect(try await server.accounts.pageRules.list(container: Self.container).count == 1)
            let removed = try await visitor.submit(
                path, ["do": "remove", "container": Self.container, "recordType": "Note"])
            #expect(removed.status == 303)
            #expect(try await server.accounts.pageRules.list(container: Self.container).isEmpty)
        }
    }

    @Test("An invited person is mailed where to set a password, and a reset mails them a code")
    func invitation() async throws {
        try await TestServer.run(configure: { $0.publicURL = "http://localhost" }) { server in
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/people")
            let made = try await visitor.submit(
                "/console/people", ["do": "invite", "email": "omar@example.com", "givenName": "Omar"])
            #expect(made.status == 303, "\(made.text)")
            #expect(try await server.accounts.users.find(email: "omar@example.com")?.givenName == "Omar")
            #expect(
                try Self.mails(server).contains {
                    $0.contains("To: omar@example.com") && $0.contains("has made an account")
                        && $0.contains("at http://localhost/auth/forgot\n")
                })
            let again = try await visitor.submit("/console/people", ["do": "invite", "email": "omar@example.com"])
            #expect(again.status == 400 && again.text.contains("omar@example.com"), "\(again.text)")
            _ = try await visitor.open("/console/person?email=omar@example.com")
            let reset = try await visitor.submit("/console/person", ["email": "omar@example.com", "do": "reset"])
            #expect(reset.status == 303, "\(reset.text)")
            let mail = try #require(try Self.mails(server).first { $0.contains("\nhttp://localhost/auth/reset?id=") })
            let code = try #require(mail.firstMatch(of: #/Your code is (\S+)/#)?.output.1)
            let id = try #require(mail.firstMatch(of: #/reset\?id=(\S+)/#)?.output.1)
            let person = WebVisitor(server)
            _ = try await person.open("/auth/reset?id=\(id)")
            let set = try await person.submit(
                "/auth/reset", ["id": String(id), "code": String(code), "password": "correct horse battery"])
            #expect(set.status == 303, "\(set.text)")
        }
    }

    private static func mails(_ server: TestServer) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: server.folder.outbox).map {
            try String(contentsOfFile: server.folder.outbox + "/" + $0, encoding: .utf8)
        }
    }

    @Test("Public code requests and operators' mails have separate limits")
    func separateMailBounds() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            _ = try await server.accounts.users.create(email: "omar@example.com")
            let stranger = WebVisitor(server)
            _ = try await stranger.open("/auth/forgot")
            let ask = { try await stranger.submit("/auth/forgot", ["email": "omar@example.com"]).status }
            for _ in 0..<3 { #expect(try await ask() == 303) }
            #expect(try await ask() == 429)
            let invitation = try await server.manage(.post, "users/omar@example.com/invitation", token: token)
            #expect(invitation.status == 200, "\(invitation.text)")
            _ = try await server.accounts.users.create(email: "vera@example.com")
            for _ in 0..<3 {
                #expect(try await server.manage(.post, "users/vera@example.com/reset", token: token).status == 200)
            }
            #expect(try await server.manage(.post, "users/vera@example.com/reset", token: token).code == "THROTTLED")
            _ = try await stranger.open("/auth/forgot")
            #expect(try await stranger.submit("/auth/forgot", ["email": "vera@example.com"]).status == 303)
        }
    }

    @Test("A mail whose link would lead nowhere is not sent, and the operator sees which setting is missing")
    func noPublicAddress() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            _ = try await ines.visitor.open("/console/people")
            let made = try await ines.visitor.submit(
                "/console/people", ["do": "invite", "email": "omar@example.com"])
            #expect(made.status == 400 && made.text.contains("The account is made. No mail was sent"), "\(made.text)")
            #expect(made.text.contains("set publicUrl"), "\(made.text)")
            let reset = try await ines.visitor.submit(
                "/console/person", ["email": "omar@example.com", "do": "reset"])
            #expect(reset.status == 400 && reset.text.contains("set publicUrl"), "\(reset.text)")
            let stranger = WebVisitor(ines.server)
            for email in ["omar@example.com", "nobody@example.com"] {
                _ = try await stranger.open("/auth/forgot")
                let answer = try await stranger.submit("/auth/forgot", ["email": email])
                #expect(answer.status == 503 && answer.text.contains("publicUrl"), "\(answer.text)")
            }
            let called = try await ines.server.manage(
                .post, "users/omar@example.com/reset", token: try await ines.server.managementToken())
            #expect(called.code == "BAD_REQUEST" && called.reason.contains("set publicUrl"), "\(called.text)")
            #expect(!FileManager.default.fileExists(atPath: ines.server.folder.outbox))
        }
        let address = "https://cloud.example.com"
        try await TestServer.run(dev: false, configure: { $0.publicURL = address }) { server in
            let token = try await server.managementToken()
            _ = try await server.accounts.users.create(email: "omar@example.com")
            #expect(try await server.manage(.post, "users/omar@example.com/reset", token: token).status == 200)
            #expect(try Self.mails(server).count { $0.contains("\n\(address)/auth/reset?id=") } == 1)
        }
    }

    @Test(
        "An origin that names its own machine is local",
        arguments: [
            ("http://localhost:8080", true), ("http://a.localhost", true), ("http://127.0.0.1", true),
            ("http://127.1.2.3:1", true), ("http://[::1]:8080", true), ("http://0.0.0.0:8080", true),
            ("http://10.0.0.7:8080", false), ("https://cloud.example.com", false), ("http://localhost.example", false),
        ])
    func localOrigins(text: String, isLocal: Bool) { #expect(WebOrigin(text)?.isLocal == isLocal) }

    @Test("An address gets three operator mails an hour, and a disabled account gets none")
    func mailBounds() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            _ = try await server.accounts.users.create(email: "omar@example.com")
            for _ in 0..<3 {
                #expect(try await server.manage(.post, "users/omar@example.com/reset", token: token).status == 200)
            }
            let fourth = try await server.manage(.post, "users/omar@example.com/invitation", token: token)
            #expect(fourth.status == 503 || fourth.code == "THROTTLED", "\(fourth.text)")
            #expect(try Self.mails(server).count == 3)
            _ = try await server.accounts.users.setDisabled(true, email: "omar@example.com")
            let disabled = try await server.manage(.post, "users/omar@example.com/reset", token: token)
            #expect(disabled.code == "BAD_REQUEST" && disabled.reason.contains("is disabled"))
            #expect(try await server.manage(.post, "users/no@example.com/reset", token: token).code == "NOT_FOUND")
        }
    }

    @Test("A server without a backup location explains how to set one")
    func noBackups() async throws {
        try await TestServer.run { server in
            let page = try await WebVisitor(server).open(Self.settings + "backups")
            #expect(page.status == 200 && page.text.contains("set backup.to"), "\(page.text)")
            let token = try await server.managementToken()
            #expect(try await server.manage(.post, "backups", token: token).code == "NOT_FOUND")
        }
    }

    @Test(
        "A backup is made and verified on demand, and damage is reported",
        .enabled(if: !ChosenEngine.isPostgres, "PostgreSQL has backups of its own"))
    func backups() async throws {
        let place = FileManager.default.temporaryDirectory.path() + "/backups-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let schedule = BackupSchedule(archive: FolderArchive(root: place), every: .seconds(86400), keep: 3)
        try await TestServer.run(configure: { $0.backups = schedule }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""title": {"value": "one"}"#)
            let visitor = WebVisitor(server)
            let path = Self.settings + "backups"
            #expect(try await visitor.open(path).text.contains("There is no backup here yet."))
            #expect(try await visitor.submit(path, ["do": "create"]).status == 303)
            let token = try await server.managementToken()
            let made = try await Self.ended(server, token)
            #expect(made["work.state"] == "done", "\(made.text)")
            let name = try #require(made["backups.0.name"]?.string)
            #expect(made["backups.0.records"]?.integer ?? 0 > 0)
            let page = try await visitor.open(path).text
            #expect(page.contains("Made the backup \(name)") && page.contains(">Verify</button>"), "\(page)")
            #expect(try await visitor.submit(path, ["do": "verify", "name": name]).status == 303)
            #expect(try await Self.ended(server, token)["work.outcome"]?.string?.contains("as it was written") == true)

            let file = try #require(
                FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix("accounts.sqlite") })
            let handle = try #require(FileHandle(forWritingAtPath: "\(place)/\(file)"))
            try handle.seek(toOffset: 5000)
            try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
            try handle.close()
            #expect(try await server.manage(.post, "backups/\(name)/verify", token: token).status == 200)
            #expect(try await Self.ended(server, token)["work.state"] == "failed")
            #expect(try await server.manage(.post, "backups/none/verify", token: token).status == 200)
            #expect(try await Self.ended(server, token)["work.outcome"]?.string?.contains("no backup none") == true)
        }
    }

    /// The list of backups once nothing is being done.
    private static func ended(_ server: TestServer, _ token: String) async throws -> Answer {
        while true {
            let list = try await server.manage(.get, "backups", token: token)
            if list["work.state"] != "running" { return list }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
