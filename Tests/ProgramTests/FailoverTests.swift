import CloudModel
import Foundation
import TestCloud
import TestPostgres
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What becomes of requests, and of what clients hold, when a standby of PostgreSQL takes over.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct FailoverTests {
    private let programs: [Program]

    init() throws { programs = [try Program(), try Program()] }

    /// - Parameter url: of the database.
    private func start(on url: String, servers: Int = 1) async throws -> [RunningServer] {
        let environment = [
            "CUMULUS_DATABASE_URL": url,
            "CUMULUS_ASSETS_URL": "file://\(programs[0].folder.path())/assets",
            // A server that stands still is not waited for.
            "CUMULUS_DATABASE_ANSWER_TIME": "3600",
        ]
        var started: [RunningServer] = []
        for program in programs.prefix(servers) {
            started.append(try await RunningServer(program, "--dev", environment: environment))
        }
        return started
    }

    private let told = Told()

    private actor Told {
        private(set) var kept: Set<String> = []
        private(set) var isOver = false

        func keep(_ name: String) { kept.insert(name) }
        func end() { isOver = true }
    }

    @Test(
        "Writes continue at the promoted standby, and acknowledged writes are there",
        arguments: [TestPair.Act.kill, .freeze])
    func takeover(act: TestPair.Act) async throws {
        let pair = try TestPair(isSynchronous: true)
        let server = try await start(on: pair.url)[0]
        let person = try await DevelopmentPerson(server)
        let told = told
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<3 {
                group.addTask {
                    var number = 0
                    while await !told.isOver {
                        let name = "\(lane)-\(number)"
                        let status = try await person.create([name], text: "x").response.statusCode
                        #expect([200, 503].contains(status))
                        if status == 200 { await told.keep(name) }
                        number += 1
                    }
                }
            }
            try await until { await told.kept.count >= 20 }
            try pair.act(act)
            try pair.act(.promote)
            let before = await told.kept.count
            try await until { await told.kept.count >= before + 20 }
            // One that stood still goes on, and believes to be the primary.
            if act == .freeze { try pair.act(.thaw) }
            let later = await told.kept.count
            try await until { await told.kept.count >= later + 20 }
            await told.end()
        }
        let kept = await told.kept
        let found = try await person.found(kept.sorted())
        #expect(Set(found) == kept)
        #expect(await server.stop() == 0)
    }

    /// Saves a record, as often as it takes.
    ///
    /// - Returns: its change tag.
    private func save(_ name: String, _ person: DevelopmentPerson) async throws -> String {
        while true {
            let answer = try await person.send(
                "records/modify",
                #"""
                {"zoneID": {"zoneName": "z"}, "operations": [{"operationType": "forceUpdate", "record":
                    {"recordName": "\#(name)", "recordType": "Note", "fields": {"text": {"value": "x"}}}}]}
                """#)
            guard answer.response.statusCode == 200 else { continue }
            let record = try JSONParser.parse(Array(answer.body)).object?["records"]?.array?.first?.object
            return try #require(record?["recordChangeTag"]?.string, "\(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    /// The names that have changed since a token, or why they are not told; and the next token.
    private func changes(
        since token: String?, _ person: DevelopmentPerson
    ) async throws -> (names: Set<String>, reason: String?, token: String?) {
        let since = token.map { #", "syncToken": "\#($0)""# } ?? ""
        let answer = try await person.send(
            "changes/zone", #"{"zones": [{"zoneID": {"zoneName": "z"}\#(since)}]}"#)
        let zone = try JSONParser.parse(Array(answer.body)).object?["zones"]?.array?.first?.object
        let names = (zone?["records"]?.array ?? []).compactMap { $0.object?["recordName"]?.string }
        return (Set(names), zone?["reason"]?.string, zone?["syncToken"]?.string)
    }

    private func makeZone(_ person: DevelopmentPerson) async throws {
        let made = try await person.send(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "z"}}}]}"#)
        #expect(made.response.statusCode == 200)
    }

    @Test(
        "No tag is reused where a promoted standby lacks changes, and readers of lost changes are refused",
        arguments: [0, 1])
    func lostChanges(firstWriter: Int) async throws {
        let pair = try TestPair()
        let servers = try await start(on: pair.url, servers: 2)
        let first = try await DevelopmentPerson(servers[0])
        let people = [first, first.at(servers[1])]
        try await makeZone(first)
        for person in people { _ = try await save("kept", person) }
        let isThere = """
            SELECT pg_current_wal_lsn() = replay_lsn FROM pg_stat_replication
            """
        try await until { try TestCluster.ask(isThere, of: pair.primary) == "t" }
        try pair.act(.detach)
        // The other server and the detached standby lack these records.
        let lost = [try await save("lost", first), try await save("lost too", first)]
        let token = try #require(try await changes(since: nil, first).token)
        try pair.act(.kill)
        try pair.act(.promote)
        let writers = [people[firstWriter], people[1 - firstWriter]]
        var tags: [String] = []
        for (number, person) in writers.enumerated() { tags.append(try await save("new \(number)", person)) }
        #expect(Set(tags + lost).count == 4, "\(tags) \(lost)")
        #expect(ChangeTag.position(tags[0]) == ChangeTag.position(lost[0]), "it is the same position by another name")
        for person in people {
            let refused = try await changes(since: token, person)
            #expect(refused.reason?.hasPrefix("Unknown sync continuation type") == true, "\(refused)")
            #expect(try await changes(since: nil, person).names == ["kept", "new 0", "new 1"])
        }
        for server in servers { #expect(await server.stop() == 0) }
    }

    /// Updates a record by its change tag; answers the error's code, or the new tag.
    private func update(
        _ name: String, tag: String, _ person: DevelopmentPerson
    ) async throws -> (code: String?, tag: String?) {
        let answer = try await person.send(
            "records/modify",
            #"""
            {"zoneID": {"zoneName": "z"}, "operations": [{"operationType": "update", "record": {"recordName": "\#(name)",
                "recordType": "Note", "recordChangeTag": "\#(tag)", "fields": {"text": {"value": "y"}}}}]}
            """#)
        let record = try JSONParser.parse(Array(answer.body)).object?["records"]?.array?.first?.object
        return (record?["serverErrorCode"]?.string, record?["recordChangeTag"]?.string)
    }

    @Test("A lost tag is refused at each server, even when as many new changes replaced the lost ones")
    func equalLosses() async throws {
        let pair = try TestPair()
        let servers = try await start(on: pair.url, servers: 2)
        let first = try await DevelopmentPerson(servers[0])
        let second = first.at(servers[1])
        try await makeZone(first)
        for person in [first, second] { _ = try await save("kept", person) }
        let isThere = "SELECT pg_current_wal_lsn() = replay_lsn FROM pg_stat_replication"
        try await until { try TestCluster.ask(isThere, of: pair.primary) == "t" }
        try pair.act(.detach)
        let lost = try await save("edited", first)
        try pair.act(.kill)
        try pair.act(.promote)
        let kept = try await save("edited", second)
        #expect(ChangeTag.position(lost) == ChangeTag.position(kept))
        // The first server has told the position before, by another tag.
        #expect(try await update("edited", tag: lost, first).code == "CONFLICT")
        let new = try #require(try await update("edited", tag: kept, first).tag)
        #expect(try await update("edited", tag: new, second).code == nil)
        for server in servers { #expect(await server.stop() == 0) }
    }

    @Test("A record saved after a failover is updated at each server, whichever noticed the failover first")
    func quietFailover() async throws {
        let pair = try TestPair(isSynchronous: true)
        let servers = try await start(on: pair.url, servers: 2)
        let first = try await DevelopmentPerson(servers[0])
        let second = first.at(servers[1])
        try await makeZone(first)
        for person in [first, second] { _ = try await save("kept", person) }
        try pair.act(.kill)
        try pair.act(.promote)
        // A group of the first server that changes no record.
        try await until { try await update("kept", tag: "1", first).code == "CONFLICT" }
        var tag = try await save("edited", second)
        for person in [first, second, first] {
            let updated = try await update("edited", tag: tag, person)
            #expect(updated.code == nil)
            tag = updated.tag ?? ""
        }
        for server in servers { #expect(await server.stop() == 0) }
    }

    @Test("A database that went back under a running server reuses no tag")
    func gone() async throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        let server = try await start(on: url)[0]
        let person = try await DevelopmentPerson(server)
        try await makeZone(person)
        _ = try await save("kept", person)
        let lost = try await save("lost", person)
        // As a copy from before leaves it.
        try cluster.run(
            """
            SET search_path = cumulus_containers_1_development;
            DELETE FROM records WHERE name = 'lost'; UPDATE store SET position = position - 1, groups = groups[2:]
            """, in: url)
        let new = try await save("new", person)
        #expect(ChangeTag.position(new) == ChangeTag.position(lost))
        #expect(new != lost)
        #expect(try await save("newer", person) != new)
        #expect(await server.stop() == 0)
    }

    @Test("A write is refused as read-only while no host takes writes, and succeeds afterwards")
    func readOnly() async throws {
        let pair = try TestPair()
        let server = try await start(on: pair.url)[0]
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["first"], text: "x").response.statusCode == 200)
        try TestCluster.ask("ALTER SYSTEM SET default_transaction_read_only = on", of: pair.primary)
        try TestCluster.ask("SELECT pg_reload_conf()", of: pair.primary)
        var reason = ""
        while !reason.contains("read-only") {
            reason = String(decoding: try await person.create(["r"], text: "x").body, as: UTF8.self)
        }
        #expect(reason.contains("TRY_AGAIN_LATER"))
        try pair.act(.promote)
        try await until { try await person.create(["after"], text: "x").response.statusCode == 200 }
        #expect(await server.stop() == 0)
    }
}
