import CloudModel
import Foundation
import TestCloud
import TestPostgres
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What becomes of requests when PostgreSQL, the way to it or another server fails.
@Suite(.timeLimit(.minutes(20)))
struct PostgresFaultTests {
    private let programs: [Program]
    private let cluster: TestCluster

    init() throws {
        programs = [try Program(), try Program()]
        cluster = try TestCluster.shared.get()
    }

    private func environment(_ database: String, _ more: [String: String] = [:]) -> [String: String] {
        [
            "CUMULUS_DATABASE_URL": database,
            "CUMULUS_ASSETS_URL": "file://\(programs[0].folder.path())/assets",
        ].merging(more) { $1 }
    }

    /// A database in which a function of PostgreSQL's is another.
    private func database(with function: String) throws -> String {
        let url = try cluster.makeDatabase()
        let name = try #require(url.split(separator: "/").last)
        try cluster.run(
            """
            CREATE SCHEMA shim; CREATE FUNCTION shim.\(function);
            ALTER DATABASE \(name) SET search_path = shim, pg_catalog, public
            """, in: url)
        return url
    }

    private func refusal(_ program: Program, _ environment: [String: String]) async throws -> String {
        let outcome = try await program.run(["serve", "--dev", "--port", "0"], environment: environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        return outcome.errors
    }

    @Test("A database that is too old is refused with the oldest supported version")
    func oldVersion() async throws {
        let url = try database(
            with: """
                current_setting(text) RETURNS text LANGUAGE sql AS
                $$ SELECT CASE $1 WHEN 'server_version_num' THEN '130011' ELSE pg_catalog.current_setting($1) END $$
                """)
        let words = try await refusal(programs[0], environment(url))
        #expect(words.contains("is of version 13, and 14 is the oldest that can be used; upgrade it"), "\(words)")
    }

    @Test("A clock an hour off the database's is refused with the remedy", arguments: [3600, -3600])
    func clocks(seconds: Int) async throws {
        let url = try database(
            with: """
                clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
                $$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => \(seconds)) $$
                """)
        let words = try await refusal(programs[0], environment(url))
        #expect(words.contains("3600 seconds \(seconds > 0 ? "ahead of" : "behind") this machine's"), "\(words)")
        #expect(words.contains("set the clocks of both by NTP"))
    }

    @Test("A server with another asset location than its database's is refused, and both are named")
    func assets() async throws {
        let url = try cluster.makeDatabase()
        let server = try await RunningServer(programs[0], "--dev", environment: environment(url))
        _ = try await DevelopmentPerson(server).send("zones/list", "{}")
        let words = try await refusal(programs[1], environment(url, ["CUMULUS_ASSETS_URL": "file:///elsewhere"]))
        #expect(words.contains("are in file://\(programs[0].folder.path())/assets,"), "\(words)")
        #expect(words.contains("names file:///elsewhere; set it as it was"), "\(words)")
        #expect(await server.stop() == 0)
    }

    @Test("A second server that keeps assets in a data folder of its own is refused")
    func ownAssets() async throws {
        let database = ["CUMULUS_DATABASE_URL": try cluster.makeDatabase()]
        let server = try await RunningServer(programs[0], "--dev", environment: database)
        _ = try await DevelopmentPerson(server).send("zones/list", "{}")
        let words = try await refusal(programs[1], database)
        #expect(words.contains("the assets are in the data folder "), "\(words)")
        #expect(words.contains("set assets.url of all to one place"), "\(words)")
        #expect(await server.stop() == 0)
        // The folder itself goes on being known.
        let again = try await RunningServer(programs[0], "--dev", environment: database)
        #expect(await again.stop() == 0)
    }

    @Test(
        "A full database disk answers 503 with the cause, loses nothing, and recovers",
        .enabled(if: TestCluster.canMount, "mounts a small disk"))
    func fullDisk() async throws {
        let cluster = try TestCluster(smallDisk: 96)
        try cluster.makeSmallTablespace()
        let url = try cluster.makeDatabase(options: "TABLESPACE small")
        try cluster.run("CREATE TABLE ballast AS SELECT g, repeat('x', 500) FROM generate_series(1, 30000) g", in: url)
        let server = try await RunningServer(programs[0], "--dev", environment: environment(url))
        let person = try await DevelopmentPerson(server)
        let text = String(repeating: "0123456789abcdef", count: 2_000)
        var (promised, refused): ([String], String?) = ([], nil)
        for number in 0..<100 where refused == nil {
            let names = (0..<50).map { "n\(number)-\($0)" }
            // Numbers keep it from being stored in less.
            let answer = try await person.create(names, text: "\(number)" + Self.scrambled(text, number))
            if answer.response.statusCode == 200 {
                promised += names
            } else {
                #expect(answer.response.statusCode == 503)
                refused = String(decoding: answer.body, as: UTF8.self)
            }
        }
        #expect(refused?.contains("TRY_AGAIN_LATER") == true && refused?.contains("the disk is full") == true)
        #expect(try await person.found(promised) == promised)
        // What was found before is good for a second.
        let health = try await answer {
            try await server.get("/health")
        } until: {
            $0.response.statusCode != 200
        }
        #expect(String(decoding: health.body, as: UTF8.self).contains("diskFull"))
        try cluster.run("DROP TABLE ballast", in: url)
        try await until { try await person.create(["after"], text: "x").response.statusCode != 503 }
        #expect(try await person.found(promised + ["after"]) == promised + ["after"])
        #expect(await server.stop() == 0)
    }

    private static func scrambled(_ text: String, _ seed: Int) -> String {
        var state = UInt64(seed + 1)
        return String(
            text.map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return Character(Unicode.Scalar(UInt8(97 + (state >> 33) % 26)))
            })
    }

    @Test("A writer whose COMMIT was cut off gets a true answer", arguments: PostgresProxy.Cut.allCases)
    func cutCommits(cut: PostgresProxy.Cut) async throws {
        let folder = "/tmp/cut-\(UUID().uuidString.prefix(8))"
        let proxy = try PostgresProxy(in: folder, to: cluster)
        let server = try await RunningServer(
            programs[0], "--dev", environment: environment(try cluster.makeDatabase(through: folder)))
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["first"], text: "x").response.statusCode == 200)
        try proxy.set(cut)
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in 0..<10 {
                        let name = "\(lane)-\(number)"
                        let status = try await person.create([name], text: "x").response.statusCode
                        #expect([200, 503].contains(status))
                        await told.add(name, status)
                    }
                }
            }
        }
        let answers = await told.answers
        try proxy.set(nil)
        #expect(proxy.count > 0)
        let names = answers.map(\.0)
        var there = Set<String>()
        // The first look may meet a connection that was cut.
        while there.isEmpty { there = Set(try await person.found(names)) }
        #expect(there == Set(answers.filter { $0.1 == 200 }.map(\.0)))
        // What has arrived is never called lost.
        if cut == .after { #expect(answers.allSatisfy { $0.1 == 200 }) }
        if cut == .before { #expect(answers.contains { $0.1 == 503 }) }
        #expect(await server.stop() == 0)
    }

    private let told = Told()

    private actor Told {
        private(set) var answers: [(String, Int)] = []

        func add(_ name: String, _ status: Int) { answers.append((name, status)) }
    }

    @Test("While one server is frozen the other continues, and the first continues afterwards")
    func pausedServer() async throws {
        let environment = environment(try cluster.makeDatabase(), ["CUMULUS_DATABASE_ANSWER_TIME": "3600"])
        let servers = [
            try await RunningServer(programs[0], "--dev", environment: environment),
            try await RunningServer(programs[1], "--dev", environment: environment),
        ]
        let first = try await DevelopmentPerson(servers[0])
        let second = first.at(servers[1])
        for round in 0..<5 {
            let before = await told.answers.count
            let writing = Task {
                var kept: [String] = []
                for number in 0..<20 {
                    let name = "a\(round)-\(number)"
                    let status = try await first.create([name], text: "x").response.statusCode
                    if status == 200 { kept.append(name) }
                    await told.add(name, status)
                }
                return kept
            }
            try await until { await told.answers.count >= before + round * 3 }
            servers[0].pause()
            var kept: [String] = []
            for number in 0..<10 {
                let name = "b\(round)-\(number)"
                // The row may be the other's until the database ends its transaction, which was idle.
                try await until { try await second.create([name], text: "x").response.statusCode != 503 }
                kept.append(name)
            }
            servers[0].resume()
            kept += try await writing.value
            for person in [first, second] { #expect(try await Set(person.found(kept)) == Set(kept)) }
        }
        try await until { try await first.create(["last"], text: "x").response.statusCode != 503 }
        #expect(try await second.found(["last"]) == ["last"])
        for server in servers { #expect(await server.stop() == 0) }
    }
}
