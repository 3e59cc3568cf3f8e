import CloudHTTP
import CloudModel
import Foundation
import TestPostgres
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The program over PostgreSQL, as an operator and apps use it.
@Suite(.timeLimit(.minutes(20)))
struct PostgresProgramTests {
    private let cumulus: Program
    private let database: [String: String]

    init() throws {
        cumulus = try Program()
        database = ["CUMULUS_DATABASE_URL": try TestCluster.shared.get().makeDatabase()]
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Outcome {
        try await cumulus.run(arguments, environment: database.merging(environment) { $1 })
    }

    @Test(
        "A malformed URL or an unusable database is reported in one line with a remedy and no password",
        arguments: [
            ("mysql://a:hidden@b/c", "must be a URL such as postgres://"),
            ("postgres://a:%zzhidden@b/c", "must be a URL such as postgres://"),
            ("postgres://a:hidden@127.0.0.1:1/c", "postgres://a@127.0.0.1:1/c cannot be reached: "),
        ])
    func refusals(url: String, words: String) async throws {
        for command in [["serve", "--dev", "--port", "0"], ["container", "list"], ["container", "create", "c"]] {
            let refusal = try await cumulus.run(command, environment: ["CUMULUS_DATABASE_URL": url])
            #expect(refusal.status == 1)
            #expect(refusal.errors.contains(words), "\(refusal.errors)")
            #expect(refusal.errors.contains("database.url") || refusal.errors.contains("CUMULUS_DATABASE_URL"))
            #expect(!refusal.errors.contains("hidden"))
            #expect(refusal.errors.split(separator: "\n").count == 1, "\(refusal.errors)")
        }
    }

    @Test("A missing database and an unknown database user are reported with the remedy")
    func strangers() async throws {
        let url = try #require(database["CUMULUS_DATABASE_URL"])
        for (wrong, words) in [
            (url + "_no", #"_no" does not exist"#), (url.replacing("cumulus@", with: "nobody@"), #""nobody" does not"#),
        ] {
            let refusal = try await run("container", "list", environment: ["CUMULUS_DATABASE_URL": wrong])
            #expect(refusal.status == 1)
            #expect(refusal.errors.contains(words), "\(refusal.errors)")
            #expect(refusal.errors.contains("see that it runs, and that database.url has its address"))
            #expect(refusal.errors.split(separator: "\n").count == 1, "\(refusal.errors)")
        }
    }

    @Test("A database without the right to create schemas, or of another encoding, is refused")
    func unfit() async throws {
        let cluster = try TestCluster.shared.get()
        let name = "guest_\(UUID().uuidString.prefix(8).lowercased())"
        try cluster.run("CREATE ROLE \(name) LOGIN")
        let url = try #require(database["CUMULUS_DATABASE_URL"]).replacing("cumulus@", with: "\(name)@")
        let poor = try await run("container", "list", environment: ["CUMULUS_DATABASE_URL": url])
        #expect(poor.status == 1 && poor.errors.contains("GRANT CREATE ON DATABASE"), "\(poor.errors)")
        let latin = try cluster.makeDatabase(options: "ENCODING 'LATIN1' TEMPLATE template0")
        let strange = try await run("container", "list", environment: ["CUMULUS_DATABASE_URL": latin])
        #expect(strange.status == 1 && strange.errors.contains("ENCODING 'UTF8'"), "\(strange.errors)")
    }

    @Test("A database changed by a newer version is refused with that version")
    func newer() async throws {
        #expect(try await run("container", "create", "c").status == 0)
        let url = try #require(database["CUMULUS_DATABASE_URL"])
        try TestCluster.shared.get().run("INSERT INTO cumulus_accounts.migrations VALUES ('99-later')", in: url)
        let refusal = try await run("container", "list")
        #expect(refusal.status == 1)
        #expect(refusal.errors.contains("the schema cumulus_accounts was written by a newer version of cumulus"))
    }

    @Test("Backup commands and schedules on PostgreSQL are refused with the alternative")
    func backups() async throws {
        let place = cumulus.folder.appending(path: "backups").path()
        #expect(try await run("container", "create", "c").status == 0)
        let outcomes = try await [
            run("backup", "create", "--to", place), run("backup", "list", "--to", place),
            run("backup", "verify", "--to", place), run("backup", "restore", "--from", place),
            run("serve", "--dev", "--port", "0", environment: ["CUMULUS_BACKUP_TO": place]),
        ]
        for outcome in outcomes {
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("PostgreSQL has backups of its own: use pg_dump"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(outcomes.last?.errors.contains("backup.to cannot be set beside database.url") == true)
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("The settings show no password")
    func settings() async throws {
        let listed = try await run(
            "settings", environment: ["CUMULUS_DATABASE_URL": "postgres://me:hidden@db.example.com:5433/cloud"])
        #expect(listed.output.contains("postgres://…@db.example.com:5433/cloud"))
        #expect(!listed.output.contains("hidden"))
    }

    @Test("Commands and a server share one database, and commands without data say where there is none")
    func commands() async throws {
        let nothing = try await run("container", "list")
        #expect(nothing.status == 1 && nothing.errors.contains("there is no data in postgres://"), "\(nothing.errors)")
        #expect(try await run("container", "create", "c").status == 0)
        #expect(try await run("user", "create", "anna@example.com").status == 0)
        #expect(
            try await run("token", "create", "--container", "c", "--environment", "production", "--name", "t").status
                == 0)
        let server = try await RunningServer(cumulus, "--dev", environment: database)
        #expect(server.welcome.contains("postgres://"))
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["one", "two"], text: "hello").response.statusCode == 200)
        #expect(try await person.found(["one", "two", "three"]) == ["one", "two"])
        #expect(try await server.status("/ready") == 200)
        let schema = try await run("schema", "export", "c", "--environment", "development")
        #expect(schema.output.contains("RECORD TYPE Note"), "\(schema.errors)")
        let checked = try await run("check")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        let refused = try await run("import", "/nowhere", "--container", "copy")
        #expect(refused.status == 1 && refused.errors.contains("stop it to import"), "\(refused.errors)")
        #expect(await server.stop() == 0)
        #expect(try await run("container", "delete", "c", "--yes").status == 0)
        #expect(try await run("container", "list").output.contains("no containers"))
    }

    @Test("Data moved from SQLite to PostgreSQL and back is the same to the byte")
    func roundTrip() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create((0..<150).map { "r\($0)" }, text: "a\\u0000b é").response.statusCode == 200)
        try await person.subscribe()
        let link = try await person.uploadLink()
        let stored = try JSONParser.parse(Array(try await server.post(link, Data("bytes".utf8)).body))
        try await person.save("with a file", file: try #require(stored.object?["singleFile"]))
        #expect(await server.stop() == 0)
        let folders = ["one", "two", "three"].map { cumulus.folder.appending(path: $0).path() }
        let names = ["c", "there", "back"]
        for (index, environment) in [[:], database, [:]].enumerated() {
            if index > 0 {
                let taken = try await cumulus.run(
                    ["import", folders[index - 1], "--container", names[index], "--environment", "development"],
                    environment: environment)
                #expect(taken.status == 0, "\(taken.errors)")
            }
            let written = try await cumulus.run(
                ["export", names[index], "--environment", "development", "--to", folders[index]],
                environment: environment)
            #expect(written.status == 0, "\(written.errors)")
        }
        let first = try contents(folders[0])
        #expect(first.count > 5)
        for folder in folders.dropFirst() { #expect(try contents(folder) == first) }
    }

    /// The bytes of each file of an export, but for what says when and whose it is.
    private func contents(_ folder: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name != "manifest.json" {
            contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return contents
    }
}
