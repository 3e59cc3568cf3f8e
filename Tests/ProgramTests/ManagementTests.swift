import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQLite
import CloudCrypto
import Foundation
import TestAssets
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ManagementTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("Containers are created, updated and deleted by command") func containers() async throws {
        let created = try await cumulus("container", "create", "iCloud.com.example.app", "--json")
        #expect(created.status == 0)
        #expect(try created.json.object?["name"]?.string == "iCloud.com.example.app")
        let changed = try await cumulus(
            "container", "update", "iCloud.com.example.app", "--strict-indexes", "on", "--just-in-time-schema", "off",
            "--json")
        #expect(try changed.json.object?["strictIndexes"]?.bool == true)
        #expect(try changed.json.object?["justInTimeSchema"]?.bool == false)
        let listed = try await cumulus("container", "list")
        #expect(
            listed.output.contains(/(?m)^iCloud\.com\.example\.app +off +on +on +off +off$/), "\(listed.output)")
        let records = cumulus.data + "/containers/1-development.sqlite"
        try Data().write(to: URL(filePath: records))
        try Data().write(to: URL(filePath: records + "-wal"))
        let assets = cumulus.data + "/containers/1-development-assets/ab"
        try FileManager.default.createDirectory(atPath: assets, withIntermediateDirectories: true)
        let refused = try await cumulus("container", "delete", "iCloud.com.example.app")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--yes"))
        #expect(try await cumulus("container", "delete", "iCloud.com.example.app", "--yes").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cumulus.data + "/containers").isEmpty)
        #expect(try await cumulus("container", "list").output == "There are no containers yet.\n")
    }

    @Test("The next step for a new user is a password, and a provider where passwords are off") func nextStep()
        async throws
    {
        let on = try await cumulus("user", "create", "ann@example.com")
        #expect(on.status == 0 && on.errors.contains("cumulus user set-password ann@example.com"), "\(on)")
        let off = try await cumulus(
            "user", "create", "ben@example.com", environment: ["CUMULUS_SIGN_IN_PASSWORDS": "off"])
        #expect(off.status == 0 && !off.errors.contains("set-password"), "\(off)")
        #expect(off.errors.contains("signs in at a provider"), "\(off)")
    }

    @Test("A token is printed only when it is created") func shownOnce() async throws {
        _ = try await cumulus("container", "create", "c")
        let created = try await cumulus(
            "token", "create", "--container", "c", "--environment", "production", "--name", "web",
            "--allowed-origin", "https://a.example", "--allowed-origin", "https://b.example", "--sign-in-callback",
            "https://a.example/done", "--audience", "com.example.app", "--audience", "com.example.web")
        let text = created.output.trimmingCharacters(in: .newlines)
        #expect(text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        let listed = try await cumulus("token", "list", "--json")
        let token = try #require(try listed.json.array?.first?.object)
        #expect(token["hint"]?.string == String(text.prefix(8)))
        #expect(token["allowedOrigins"]?.array == [.string("https://a.example"), .string("https://b.example")])
        #expect(token["signInCallback"]?.string == "https://a.example/done")
        #expect(token["audiences"]?.array == [.string("com.example.app"), .string("com.example.web")])
        #expect(!listed.output.contains(text))
        #expect(try await cumulus("token", "revoke", "1").output == "Revoked API token 1.\n")
        #expect(try await cumulus("token", "revoke", "1").status == 1)
        #expect(try await cumulus("token", "list", "--json").json == .array([]))
    }

    @Test("A public key is read from a file or standard input") func publicKeys() async throws {
        _ = try await cumulus("container", "create", "c")
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let file = try cumulus.file("key.pem", pem).path()
        let options = ["--container", "c", "--environment", "development"]
        let first = try await cumulus.run(["key", "add", file] + options)
        #expect(first.output.wholeMatch(of: #/[0-9a-f]{64}\n/#) != nil)
        let second = try await cumulus.run(["key", "add", "-", "--json"] + options, input: pem)
        let keyID = try #require(try second.json.object?["keyID"]?.string)
        #expect(try await cumulus("key", "revoke", keyID).status == 0)
        let listed = try await cumulus("key", "list", "--json").json.array?.compactMap { $0.object?["revoked"]?.bool }
        #expect(listed == [false, true])
        let bad = try await cumulus.run(["key", "add", "-"] + options, input: "no key")
        #expect(bad.status == 1)
        #expect(bad.errors.contains("P-256"))
    }

    @Test("Providers are added with a secret from standard input, listed, changed, tested and removed")
    func providers() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        let add = [
            "provider", "add", "work", "--issuer", "https://127.0.0.1:1", "--client-id", "c", "--title", "Work",
            "--secret-file", "-",
        ]
        let added = try await cumulus.run(add, input: "correct horse\n")
        #expect(added.output == "/auth/with/work\n", "\(added.errors)")
        let changed = try await cumulus("provider", "update", "work", "--admission", "groups", "--admitted", "staff")
        #expect(changed.output == "Changed provider work.\n", "\(changed.errors)")
        let listed = try await cumulus("provider", "list")
        #expect(
            listed.output == """
                NAME  KIND  TITLE  ADMITS         ISSUER
                work  oidc  Work   groups: staff  https://127.0.0.1:1

                """)
        let tested = try await cumulus("provider", "test", "work")
        #expect(tested.status == 1 && tested.output.contains("publicUrl"), "\(tested.output) \(tested.errors)")
        #expect(tested.output.contains("wrong    discovery"))
        #expect(try await !cumulus("provider", "list", "--json").output.contains("horse"))
        #expect(try await cumulus("provider", "remove", "work").output == "Removed provider work.\n")
        #expect(try await cumulus("provider", "remove", "work").status == 1)
    }

    @Test("Webhooks are added, listed and removed") func webhooks() async throws {
        _ = try await cumulus("container", "create", "c")
        let options = ["--container", "c", "--environment", "production"]
        let added = try await cumulus.run(["webhook", "add", "https://8.8.8.8/in"] + options)
        #expect(added.output.wholeMatch(of: #/whsec_[A-Za-z0-9+\/]{43}=\n/#) != nil)
        #expect(added.errors.contains("Webhook 1 of c"))
        let doubtful = try await cumulus.run(["webhook", "add", "https://hooks.invalid/in", "--json"] + options)
        #expect(try doubtful.json.object?["secret"]?.string?.hasPrefix("whsec_") == true)
        let listed = try await cumulus("webhook", "list")
        #expect(
            listed.output == """
                ID  CONTAINER  ENVIRONMENT  URL
                1   c          production   https://8.8.8.8/in
                2   c          production   https://hooks.invalid/in

                """)
        #expect(try await cumulus("webhook", "remove", "1").output == "Removed webhook 1.\n")
        #expect(try await cumulus("webhook", "remove", "1").status == 1)
        #expect(try await cumulus("webhook", "list", "--json").json.array?.count == 1)
    }

    @Test(
        "A webhook URL that is not allowed is refused by the command",
        arguments: [
            ("http://127.0.0.1:8080/", "webhook.allowPrivateAddresses"), ("http://localhost/", "localhost leads to"),
            ("http://[::ffff:10.0.0.1]/", "not on the public internet"), ("ftp://example.com/", "http:// or https://"),
            ("https://me:secret@example.com/", "user name or password"),
        ])
    func badWebhook(url: String, hint: String) async throws {
        _ = try await cumulus("container", "create", "c")
        let arguments = ["webhook", "add", url, "--container", "c", "--environment", "production"]
        let refused = try await cumulus.run(arguments)
        #expect(refused.status == 1)
        #expect(refused.errors.contains(hint), "\(refused.errors)")
        #expect(!refused.errors.contains("secret"))
        if hint.hasPrefix("webhook.") {
            let allowed = try await cumulus.run(
                arguments, environment: ["CUMULUS_WEBHOOK_ALLOW_PRIVATE_ADDRESSES": "true"])
            #expect(allowed.status == 0)
        }
    }

    @Test("Dead letters are listed, sent again and dropped") func deadLetters() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("webhook", "add", "https://8.8.8.8/", "--container", "c", "--environment", "production")
        #expect(try await cumulus("webhook", "dead-letters").output == "There are no dead letters.\n")
        let accounts = try AccountStore(folder: DataFolder(path: cumulus.data, engine: SQLiteEngine()))
        let time = Timestamp(wholeSeconds: 1_700_000_000)
        try await accounts.webhooks.deadLetters.bury(
            [("1-2-3-0", Array(#"{"aps":{}}"#.utf8))], of: 1,
            FailedDelivery(firstAttempt: time, lastAttempt: time + .seconds(60), attempts: 12, fault: "status 500"),
            keeping: 10)
        let listed = try await cumulus("webhook", "dead-letters", "--webhook", "1")
        for text in ["1 https://8.8.8.8/", "1-2-3-0", "22:13:20Z", "22:14:20Z", "12", "status 500"] {
            #expect(listed.output.contains(text), "\(listed.output)")
        }
        let json = try await cumulus("webhook", "dead-letters", "--json").json.array?.first?.object
        #expect(json?["body"]?.string == #"{"aps":{}}"#)
        #expect(try await cumulus("webhook", "dead-letters", "--retry").output == "Dead letters to send again: 1.\n")
        #expect(try await cumulus("webhook", "dead-letters").output.contains("sent again"))
        #expect(try await cumulus("webhook", "dead-letters", "--clear", "--retry").status == 64)
        #expect(try await cumulus("webhook", "dead-letters", "--clear").output == "Dropped dead letters: 1.\n")
        #expect(try await cumulus("webhook", "dead-letters", "--webhook", "7").status == 1)
    }

    @Test("A user made by command signs in until they are disabled") func users() async throws {
        _ = try await cumulus("container", "create", "c")
        let created = try await cumulus("user", "create", "Mei@example.com", "--given-name", "Mei", "--json")
        #expect(try created.json.object?["hasPassword"]?.bool == false)
        let password = try await cumulus("user", "set-password", "mei@example.com", "--json", input: "correct horse\n")
        #expect(try password.json.object?["hasPassword"]?.bool == true)
        let options = [
            "session", "create", "--container", "c", "--environment", "development", "--email", "mei@example.com",
        ]
        let session = try await cumulus.run(options)
        #expect(session.output.wholeMatch(of: #/1__1__[A-Za-z0-9+\/]{64}\n/#) != nil)
        let json = try await cumulus.run(options + ["--persistent", "--json"]).json.object
        #expect(json?["userRecordName"]?.string?.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil)
        #expect(try await cumulus("user", "disable", "mei@example.com").status == 0)
        let refused = try await cumulus.run(options)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("user enable"))
        #expect(try await cumulus("user", "list").output.contains("disabled"))
        // By the id, which outlives the address.
        let id = try #require(try created.json.object?["id"]?.integer)
        let moved = try await cumulus("user", "set-address", "\(id)", "mei@example.org", "--json").json.object
        #expect(moved?["email"]?.string == "mei@example.org" && moved?["id"]?.integer == id)
        #expect(try await cumulus("user", "enable", "\(id)").status == 0)
        let last = try await cumulus("user", "set-address", "mei@example.org")
        #expect(last.status == 1 && last.errors.contains("no other way to sign in"))
        #expect(try await cumulus("user", "usage", "\(id)").status == 0)
        #expect(try await cumulus("user", "set-address", "\(id)", "mei@example.com").status == 0)
        #expect(try await cumulus("user", "disable", "\(id)").status == 0)
        #expect(try await cumulus("user", "enable", "mei@example.com").status == 0)
        #expect(try await cumulus.run(options).status == 0)
    }

    @Test("Deleting a person asks for confirmation") func personDeletion() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("user", "create", "mei@example.com")
        let options = ["session", "create", "--container", "c", "--environment", "development", "--email"]
        #expect(try await cumulus.run(options + ["mei@example.com"]).status == 0)
        let preview = try await cumulus("people", "delete", "mei@example.com", "--preview")
        #expect(preview.output.hasPrefix("mei@example.com has 1 session."), "\(preview.errors)")
        let unasked = try await cumulus("people", "delete", "mei@example.com")
        #expect(unasked.status == 1 && unasked.errors.contains("--yes"))
        #expect(try await cumulus("user", "list").output.contains("mei@example.com"))
        let deleted = try await cumulus("people", "delete", "mei@example.com", "--yes")
        #expect(deleted.output.hasPrefix("Deleted user mei@example.com"), "\(deleted.errors)")
        #expect(try await cumulus("user", "list").output == "There are no users yet.\n")
        #expect(try await cumulus("people", "delete", "mei@example.com", "--yes").status == 1)
    }

    @Test("A person's data is exported to an owner-only file, with and without a server")
    func personExport() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("user", "create", "mei@example.com")
        let path = cumulus.folder.appending(path: "mei.zip").path()
        let exported = try await cumulus("user", "export", "mei@example.com", "--to", path, "--json")
        #expect(exported.status == 0, "\(exported.errors)")
        let bytes = try Array(Data(contentsOf: URL(filePath: path)))
        #expect(try exported.json.object?["bytes"]?.integer == Int64(bytes.count))
        #expect(try ZipContents(bytes).names == ["account.json", "contents.json"])
        let usage = try await cumulus("user", "usage", "mei@example.com")
        #expect(usage.output == "mei@example.com has been in no container.\n", "\(usage.errors)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await cumulus("user", "export", "mei@example.com", "--to", path)
        #expect(again.status == 1 && again.errors.contains("is there already"))
        let server = try await RunningServer(cumulus)
        let other = cumulus.folder.appending(path: "other.zip").path()
        let served = try await cumulus("user", "export", "mei@example.com", "--to", other)
        #expect(served.status == 0, "\(served.errors)")
        #expect(try ZipContents(Array(Data(contentsOf: URL(filePath: other)))).names.count == 2)
        let stranger = try await cumulus("user", "export", "noor@example.com", "--to", path + "2")
        #expect(stranger.status == 1 && stranger.errors.contains("there is no user"))
        let left = try FileManager.default.contentsOfDirectory(atPath: cumulus.folder.path())
        #expect(left.filter { $0.contains("zip") }.sorted() == ["mei.zip", "other.zip"])
        withExtendedLifetime(server) {}
    }

    @Test("One or all sessions of a user are listed and ended")
    func sessions() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("user", "create", "mei@example.com")
        #expect(try await cumulus("session", "list").output == "Nobody is signed in.\n")
        let options = ["session", "create", "--container", "c", "--environment", "development", "--email"]
        let tokens = try await [cumulus.run(options + ["mei@example.com"]), cumulus.run(options + ["mei@example.com"])]
            .map { $0.output.trimmingCharacters(in: .newlines) }
        let listed = try await cumulus("session", "list", "--email", "mei@example.com", "--json")
        let ids = try listed.json.array?.compactMap { $0.object?["id"]?.string } ?? []
        #expect(ids.sorted() == ["1", "2"])
        #expect(!tokens.contains { listed.output.contains($0) })
        #expect(try await cumulus("session", "revoke", "1").output == "Ended session 1.\n")
        #expect(try await cumulus("session", "revoke", "1").status == 1)
        #expect(try await cumulus("session", "list").output.split(separator: "\n").count == 2)
        let all = try await cumulus("session", "revoke", "--email", "mei@example.com")
        #expect(all.output == "Ended 1 session of mei@example.com.\n")
        for arguments in [["session", "revoke"], ["session", "revoke", "1", "--email", "mei@example.com"]] {
            #expect(try await cumulus.run(arguments).status == 64)
        }
    }

    @Test("Creating an API token for any origin prints a warning")
    func anyOriginToken() async throws {
        _ = try await cumulus("container", "create", "c")
        let options = ["token", "create", "--container", "c", "--environment", "production", "--name", "web"]
        #expect(try await cumulus.run(options).errors.contains("any web site"))
        let bound = try await cumulus.run(options + ["--allowed-origin", "https://a.example"])
        #expect(bound.status == 0 && !bound.errors.contains("any web site"))
        let plain = try await cumulus.run(options + ["--sign-in-callback", "http://a.example/in"])
        #expect(plain.status == 1 && plain.errors.contains("https://"))
    }

    @Test("An unconfirmed user gets a session once an operator confirms the address")
    func addresses() async throws {
        _ = try await cumulus("container", "create", "c")
        let accounts = try AccountStore(folder: DataFolder(path: cumulus.data, engine: SQLiteEngine()))
        _ = try await accounts.users.create(email: "noor@example.com", emailVerified: false)
        let options = [
            "session", "create", "--container", "c", "--environment", "development", "--email", "noor@example.com",
        ]
        let refused = try await cumulus.run(options)
        #expect(refused.status == 1 && refused.errors.contains("user confirm"))
        #expect(try await cumulus("user", "confirm", "noor@example.com").status == 0)
        #expect(try await cumulus.run(options).status == 0)
    }

    @Test("A password is read from the terminal or standard input, never from an argument")
    func passwords() async throws {
        _ = try await cumulus("user", "create", "a@example.com")
        #expect(try await cumulus("user", "set-password", "a@example.com", "correct horse").status == 64)
        #expect(try await cumulus("user", "set-password", "a@example.com", "--password", "correct horse").status == 64)
        #expect(try await cumulus("user", "set-password", "a@example.com", input: "short\n").status == 1)
        #expect(try await cumulus("user", "set-password", "a@example.com").status == 1)
    }

    @Test(
        "A refused command names the remedy",
        arguments: [
            (["token", "list"], "container create"), (["container", "create", "a/b"], "1 to 255"),
            (["user", "create", "x"], "not an email address"),
        ])
    func refusals(arguments: [String], hint: String) async throws {
        let outcome = try await cumulus.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(outcome.errors.contains(hint))
    }

    @Test("Several commands run at once while the accounts file is open") func concurrentCommands() async throws {
        _ = try await cumulus("container", "create", "first")
        let accounts = try AccountStore(folder: DataFolder(path: cumulus.data, engine: SQLiteEngine()))
        #expect(try await accounts.reader().container(named: "c3") == nil)
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<6 {
                group.addTask { [cumulus] in try await cumulus("container", "create", "c\(number)").status }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(try await accounts.containers.all().count == 7)
        #expect(try await accounts.reader().container(named: "c3") != nil)
    }
}
