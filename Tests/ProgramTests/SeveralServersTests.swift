import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import TestCloud
import TestPostgres
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers with data folders of their own over one PostgreSQL database and one folder of assets.
@Suite(.timeLimit(.minutes(20)))
struct SeveralServersTests {
    private let programs: [Program]
    private let environment: [String: String]

    init() throws {
        programs = [try Program(), try Program()]
        environment = [
            "CUMULUS_DATABASE_URL": try TestCluster.shared.get().makeDatabase(),
            "CUMULUS_ASSETS_URL": "file://\(programs[0].folder.path())/assets",
        ]
    }

    private func start() async throws -> [RunningServer] {
        var servers: [RunningServer] = []
        for program in programs { servers.append(try await RunningServer(program, "--dev", environment: environment)) }
        return servers
    }

    private func people(_ servers: [RunningServer]) async throws -> [DevelopmentPerson] {
        var people: [DevelopmentPerson] = []
        for server in servers { people.append(try await DevelopmentPerson(server)) }
        return people
    }

    @Test("A record saved through one server ends a poll at the other")
    func polls() async throws {
        let servers = try await start()
        let people = try await people(servers)
        try await people[0].subscribe()
        let path = try await people[0].courierPath()
        async let news = servers[0].get(path)
        #expect(try await people[1].create(["n"], text: "x").response.statusCode == 200)
        // A poll that nothing ends is answered without a message when its time is over.
        let (response, body) = try await news
        #expect(response.statusCode == 200)
        #expect(
            String(decoding: body, as: UTF8.self).contains(#""sid":"s""#), "\(String(decoding: body, as: UTF8.self))")
        for server in servers { #expect(await server.stop() == 0) }
    }

    @Test("A feed reader misses nothing while records are saved through both servers, and gets each once")
    func feed() async throws {
        let servers = try await start()
        let people = try await people(servers)
        let zone = #""zoneID": {"zoneName": "z"}"#
        let made = try await people[0].send(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {\#(zone)}}]}"#)
        #expect(made.response.statusCode == 200)
        #expect(try await create("first", zone, through: people[0]))
        let names = try await withThrowingTaskGroup(of: [String].self) { group in
            for (index, person) in people.enumerated() {
                for line in 0..<3 {
                    group.addTask {
                        var saved: [String] = []
                        for number in 0..<15 {
                            let name = "s\(index)-\(line)-\(number)"
                            if try await create(name, zone, through: person) { saved.append(name) }
                        }
                        return saved
                    }
                }
            }
            return try await group.reduce(into: ["first"]) { $0 += $1 }
        }
        #expect(names.count == 91)
        var seen: [String] = []
        var token: String?
        var page = 0
        while true {
            let since = token.map { #", "syncToken": "\#($0)""# } ?? ""
            let answer = try await people[page % 2].send(
                "changes/zone", #"{"zones": [{\#(zone)\#(since), "resultsLimit": 10}]}"#)
            let found = try JSONParser.parse(Array(answer.body)).object?["zones"]?.array?.first?.object
            seen += (found?["records"]?.array ?? []).compactMap { $0.object?["recordName"]?.string }
            token = found?["syncToken"]?.string
            page += 1
            if found?["moreComing"] != .bool(true) { break }
        }
        #expect(seen.sorted() == names.sorted())
        for server in servers { #expect(await server.stop() == 0) }
    }

    private func create(_ name: String, _ zone: String, through person: DevelopmentPerson) async throws -> Bool {
        let answer = try await person.send(
            "records/modify",
            #"""
            {\#(zone), "operations": [{"operationType": "create", "record": {"recordName": "\#(name)",
                "recordType": "Note", "fields": {"text": {"value": "x"}}}}]}
            """#)
        return answer.response.statusCode == 200
            && !String(decoding: answer.body, as: UTF8.self).contains("serverErrorCode")
    }

    @Test("A killed server's acknowledged records and assets are at the other server")
    func kill() async throws {
        let servers = try await start()
        let people = try await people(servers)
        let names = (0..<40).map { "k\($0)" }
        for name in names { #expect(try await people[0].create([name], text: "x").response.statusCode == 200) }
        let link = try await people[0].uploadLink()
        let stored = try JSONParser.parse(Array(try await servers[0].post(link, Data("bytes".utf8)).body))
        try await people[0].save("file", file: try #require(stored.object?["singleFile"]))
        await servers[0].kill()
        #expect(try await people[1].found(names) == names)
        let url = try #require(URL(string: try await people[1].downloadLink("file")))
        let path = url.path() + (url.query().map { "?" + $0 } ?? "")
        #expect(try await servers[1].get(path).body == Data("bytes".utf8))
        #expect(try await people[1].create(["after"], text: "x").response.statusCode == 200)
        #expect(await servers[1].stop() == 0)
    }

    @Test("A revoked API token is refused by every server")
    func revocation() async throws {
        let servers = try await start()
        _ = try await people(servers)
        let made = try await programs[0].run(
            ["token", "create", "--container", "c", "--environment", "development", "--name", "t", "--json"],
            environment: environment)
        let json = try made.json.object
        let token = try #require(json?["token"]?.string)
        let path = "/database/1/c/development/public/zones/list?ckAPIToken=\(token)"
        for server in servers { try await until { try await server.status(path) == 200 } }
        let id = try #require(json?["id"]?.integer)
        let revoked = try await programs[1].run(["token", "revoke", "\(id)"], environment: environment)
        #expect(revoked.status == 0, "\(revoked.errors)")
        for server in servers { try await until { try await server.status(path) != 200 } }
        for server in servers { #expect(await server.stop() == 0) }
    }

    @Test("A poll ends at another server once its client gets a new push token, or its user is disabled")
    func endedTokens() async throws {
        let here = try await RunningServer(programs[0], "--dev", environment: environment)
        let metrics = "http://127.0.0.1:\(try FreePorts.one())/metrics"
        let settings = [
            "CUMULUS_COURIER_HOLD": "600", "CUMULUS_METRICS_ADDRESS": String(metrics.dropFirst(7).dropLast(8)),
        ]
        let there = try await RunningServer(
            programs[1], "--dev", environment: environment.merging(settings) { $1 })
        let person = try await DevelopmentPerson(here)
        let old = try await person.courierPath(client: "phone")
        let first = Task { try await there.status(old) }
        try await awaitPoll(metrics)
        let new = try await person.courierPath(client: "phone")
        #expect(try await first.value == 404)
        let second = Task { try await there.status(new) }
        try await awaitPoll(metrics)
        let disabled = try await programs[0].run(["user", "disable", "mei@example.com"], environment: environment)
        #expect(disabled.status == 0, "\(disabled.errors)")
        #expect(try await second.value == 404)
        for server in [here, there] { #expect(await server.stop() == 0) }
    }

    /// Waits until somebody listens at the server whose metrics these are.
    private func awaitPoll(_ metrics: String) async throws {
        let url = try #require(URL(string: metrics))
        try await until {
            String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
                .contains("\(MetricCatalog.waitingPolls) 1")
        }
    }

    @Test("A user's record removed by a reset through one server is restored by a request to another")
    func resetUsers() async throws {
        let servers = try await start()
        let people = try await people(servers)
        let name = try await people[1].userRecordName()
        let lookup = #"{"records": [{"recordName": "\#(name)"}]}"#
        func isThere() async throws -> Bool {
            let answer = try await people[1].post("/database/1/c/development/public/records/lookup", lookup)
            return !String(decoding: answer.body, as: UTF8.self).contains("serverErrorCode")
        }
        #expect(try await isThere())
        let reset = try await programs[0].run(["schema", "reset", "c", "--yes"], environment: environment)
        #expect(reset.status == 0, "\(reset.errors)")
        // The first finds the schema to be another.
        _ = try await isThere()
        #expect(try await isThere())
        for server in servers { #expect(await server.stop() == 0) }
    }
}
