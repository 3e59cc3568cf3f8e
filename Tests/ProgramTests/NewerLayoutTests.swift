import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudStore
import Foundation
import TestCloud
import TestPostgres
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An environment that a newer version of the program has written is refused by name until it is mended.
@Suite(.timeLimit(.minutes(10)))
struct NewerLayoutTests {
    enum Engine: CaseIterable { case sqlite, postgres }

    private let program: Program

    init() throws { program = try Program() }

    /// The name by which the database is told.
    private static func name(_ engine: Engine) -> String {
        engine == .sqlite ? "containers/1-development.sqlite" : "the schema cumulus_containers_1_development"
    }

    /// Runs a statement on the migrations that the environment has had.
    private func change(_ sql: (_ table: String, _ column: String) -> String, _ url: String?) throws {
        if let url {
            return try TestCluster.shared.get().run(
                sql("cumulus_containers_1_development.migrations", "name"), in: url)
        }
        let connection = try SQLiteEngine().opener.openForWriting(program.data + "/containers/1-development.sqlite")
        try connection.write { try $0.script(sql("grdb_migrations", "identifier")) }
        try connection.close()
    }

    @Test(
        "A newer layout answers 503, fails health, check and doctor, and recovers once fixed",
        arguments: Engine.allCases)
    func newer(engine: Engine) async throws {
        let url = engine == .postgres ? try TestCluster.shared.get().makeDatabase() : nil
        let settings =
            url.map {
                ["CUMULUS_DATABASE_URL": $0, "CUMULUS_ASSETS_URL": "file://\(program.folder.path())/assets"]
            } ?? [:]
        var server = try await RunningServer(program, "--dev", environment: settings)
        #expect(try await DevelopmentPerson(server).create(["first"], text: "x").response.statusCode == 200)
        #expect(await server.stop() == 0)
        try change({ "INSERT INTO \($0) (\($1)) VALUES ('99 of tomorrow')" }, url)

        server = try await RunningServer(program, "--dev", environment: settings)
        // Before anybody asks for the environment.
        let health = try await server.get("/health")
        #expect(health.response.statusCode == 503)
        let last = try #require(Migrations.all.last).name
        let told = [Self.name(engine), "'99 of tomorrow'", "'\(last)'", ProgramVersion.text]
        for words in told + [#""what":"newer""#] {
            #expect(String(decoding: health.body, as: UTF8.self).contains(words), "\(words)")
        }
        let person = try await DevelopmentPerson(server)
        let refused = try await person.create(["second"], text: "x")
        #expect(refused.response.statusCode == 503)
        for words in told { #expect(String(decoding: refused.body, as: UTF8.self).contains(words), "\(words)") }
        let check = try await program("check", environment: settings)
        #expect(check.status == 1 && told.allSatisfy((check.output + check.errors).contains), "\(check)")
        let doctor = try await program("doctor", environment: settings)
        #expect(doctor.status == 1 && told.allSatisfy(doctor.output.contains), "\(doctor)")

        try change({ "DELETE FROM \($0) WHERE \($1) = '99 of tomorrow'" }, url)
        try await until { try await server.status("/health") != 503 }
        try await until { try await person.create(["third"], text: "x").response.statusCode != 503 }
        #expect(try await person.found(["first", "third"]) == ["first", "third"])
        #expect(await server.stop() == 0)
    }
}
