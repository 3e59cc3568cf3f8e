import CloudHTTP
import CloudWire
import CloudAssets
import CloudModel
import CloudServer
import Foundation
import TestAssets
import TestCloud
import TestPostgres
import TestProcess
import TestWire
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Three servers over one PostgreSQL and one S3, and what one server promises, through any of them.
@Suite(.timeLimit(.minutes(20)))
struct ThreeServersTests {
    private let programs: [Program]

    init() throws { programs = try (0..<3).map { _ in try Program() } }

    private func environment() async throws -> [String: String] {
        // The first call of `place` makes the bucket.
        _ = try await SeaweedFS.shared.get().place()
        return [
            "CUMULUS_DATABASE_URL": try TestCluster.shared.get().makeDatabase(),
            "CUMULUS_ASSETS_URL": "s3://\(SeaweedFS.bucket)/\(UUID().uuidString)",
            "CUMULUS_ASSETS_ENDPOINT": try SeaweedFS.shared.get().endpoint, "CUMULUS_ASSETS_PATH_STYLE": "true",
            "AWS_ACCESS_KEY_ID": SeaweedFS.credentials.accessKey,
            "AWS_SECRET_ACCESS_KEY": SeaweedFS.secretKey,
            "CUMULUS_WEBHOOK_ALLOW_PRIVATE_ADDRESSES": "true",
        ]
    }

    private func start(_ environment: [String: String]) async throws -> [RunningServer] {
        var servers: [RunningServer] = []
        for program in programs { servers.append(try await RunningServer(program, "--dev", environment: environment)) }
        return servers
    }

    private func stop(_ servers: [RunningServer]) async {
        for server in servers { #expect(await server.stop() == 0) }
    }

    private static func json(_ answer: (response: HTTPURLResponse, body: Data)) throws -> JSONObject {
        try #require(
            try JSONParser.parse(Array(answer.body)).object, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test("A session made at one server works at all, and at none once it is revoked or expired")
    func sessions() async throws {
        let environment = try await environment()
        let servers = try await start(environment)
        let here = try await DevelopmentPerson(servers[0])
        for (index, server) in servers.enumerated() {
            #expect(try await here.at(server).create(["n\(index)"], text: "x").response.statusCode == 200)
        }
        #expect(try await here.at(servers[2]).found(["n0", "n1", "n2"]) == ["n0", "n1", "n2"])
        let revoked = try await programs[1].run(
            ["session", "revoke", "--email", "mei@example.com"], environment: environment)
        #expect(revoked.status == 0, "\(revoked.errors)")
        for server in servers {
            try await until { try await here.at(server).send("zones/list", "{}").response.statusCode != 200 }
        }
        // Sessions last half an hour by the clock that all of them go by.
        let next = try await DevelopmentPerson(servers[1])
        for server in servers {
            let moved = try await server.post(
                "/emulator/1/clock", Data(#"{"advance": 3600}"#.utf8), method: "PUT")
            #expect(moved.response.statusCode == 200)
        }
        for server in servers {
            #expect(try await next.at(server).send("zones/list", "{}").response.statusCode == 421)
        }
        await stop(servers)
    }

    @Test("A sign-in begun at one server continues at the others, and its link gives one session in all")
    func signIn() async throws {
        let environment = try await environment()
        let servers = try await start(environment)
        _ = try await DevelopmentPerson(servers[0])
        let password = try await programs[0].run(
            ["user", "set-password", "mei@example.com"], environment: environment, input: "correct horse\n")
        #expect(password.status == 0, "\(password.errors)")
        let caller = "/database/1/c/development/public/users/caller?ckAPIToken=\(DevelopmentToken.text)"
        let asked = try Self.json(try await servers[0].get(caller))
        let link = try #require(asked["redirectURL"]?.string, "\(asked)")
        let path = "/" + link.split(separator: "/", maxSplits: 2)[2]
        var sessions: [String] = []
        // Two people with the same link: the second is told that it has been used.
        for (shown, taken) in [(servers[1], servers[2]), (servers[2], servers[0])] {
            let form = try await Self.page(shown, path)
            let answer = try await Self.page(
                taken, "/auth/signin", cookie: form.cookie,
                fields: form.hidden.merging(
                    ["email": "mei@example.com", "password": "correct horse", "action": "signin"]) { $1 })
            sessions += answer.text.matches(of: #/data-name="ckSession" value="([^"]*)"/#).map { String($0.output.1) }
        }
        #expect(sessions.count == 1)
        let token = try #require(sessions.first).replacing("+", with: "%2B").replacing("/", with: "%2F")
        for server in servers {
            let who = try Self.json(try await server.get("\(caller)&ckWebAuthToken=\(token)"))
            #expect(who["emailAddress"]?.string == "mei@example.com", "\(who)")
        }
        await stop(servers)
    }

    /// A page, or what comes of a form, as a browser gets it.
    private static func page(
        _ server: RunningServer, _ path: String, cookie: String? = nil, fields: [String: String]? = nil
    ) async throws -> (text: String, hidden: [String: String], cookie: String?) {
        var request = URLRequest(url: try #require(URL(string: server.origin + path)))
        request.httpShouldHandleCookies = false
        request.setValue(cookie, forHTTPHeaderField: "Cookie")
        if let fields {
            request.httpMethod = "POST"
            request.setValue(server.origin, forHTTPHeaderField: "Origin")
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            let pairs = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
            request.httpBody = Data(pairs.joined(separator: "&").utf8)
        }
        let (body, response) = try await URLSession.shared.data(for: request)
        let text = String(decoding: body, as: UTF8.self)
        let hidden = text.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)"/#).map {
            (String($0.output.1), String($0.output.2))
        }
        let set = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")
        return (text, Dictionary(hidden) { first, _ in first }, set.map { String($0.prefix { $0 != ";" }) } ?? cookie)
    }

    @Test("An asset is uploaded through one server, saved through another and read through the third")
    func uploads() async throws {
        let servers = try await start(try await environment())
        let here = try await DevelopmentPerson(servers[0])
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let link = try await here.uploadLink()
        let stored = try Self.json(try await servers[1].post(link, bytes))
        try await here.at(servers[2]).save("file", file: try #require(stored["singleFile"]))
        for server in servers {
            let url = try #require(URL(string: try await here.at(server).downloadLink("file")))
            let path = url.path() + (url.query().map { "?" + $0 } ?? "")
            for other in servers { #expect(try await other.get(path).body == bytes) }
        }
        await stop(servers)
    }

    @Test("A stream at one server has each change made through the others once, in feed order")
    func stream() async throws {
        let servers = try await start(try await environment())
        let here = try await DevelopmentPerson(servers[0])
        try await here.subscribe()
        let path = try await here.courierPath().replacing("/aps?", with: "/events?")
        let wire = try Wire(port: try #require(URL(string: servers[0].origin)?.port))
        try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await wire.readHead().hasPrefix("HTTP/1.1 200"))
        let names = try await writeThroughAll(servers, here, count: 10)
        var heard: [String] = []
        while heard.count < names.count {
            let event = try await wire.read(until: "\n\n")
            if let found = event.firstMatch(of: #/"rid":"([^"]+)"/#) { heard.append(String(found.output.1)) }
        }
        #expect(heard.sorted() == names.sorted())
        #expect(try await heard == order(of: names, here))
        await stop(servers)
    }

    @Test("A webhook gets each change once and in order, and another server takes over when the sender is killed")
    func webhooks() async throws {
        let environment = try await environment()
        let servers = try await start(environment)
        let here = try await DevelopmentPerson(servers[0])
        try await here.subscribe()
        let receiver = try WebhookReceiver(in: programs[0].folder)
        let added = try await programs[1].run(
            ["webhook", "add", receiver.url, "--container", "c", "--environment", "development"],
            environment: environment)
        #expect(added.status == 0, "\(added.errors)")
        let first = try await writeThroughAll(servers, here, count: 6)
        try await until { receiver.deliveries.count >= first.count }
        let taken = receiver.deliveries
        #expect(try await taken.map(\.record) == order(of: first, here))
        #expect(Set(taken.map(\.id)).count == taken.count)
        // The first to start is the one that sends.
        await servers[0].kill()
        let rest = Array(servers.dropFirst())
        let second = try await writeThroughAll(rest, here.at(rest[0]), count: 6, prefix: "later")
        try await until { Set(receiver.deliveries.map(\.record)).count >= first.count + second.count }
        let later = receiver.deliveries.dropFirst(taken.count)
        #expect(try await later.map(\.record) == order(of: second, here.at(rest[0])))
        await stop(rest)
    }

    @Test("A one-time link followed at two servers admits one person")
    func oneTimeLinks() async throws {
        let servers = try await start(try await environment())
        let owner = try await DevelopmentPerson(servers[0])
        let zone = #""zoneID": {"zoneName": "z"}"#
        let made = try await owner.send(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {\#(zone)}}]}"#)
        #expect(made.response.statusCode == 200)
        let people = [
            try await DevelopmentPerson(servers[1], email: "ben@example.com"),
            try await DevelopmentPerson(servers[2], email: "eve@example.com"),
        ]
        for round in 0..<5 {
            let root = try Self.json(
                try await owner.send(
                    "records/modify",
                    #"""
                    {\#(zone), "operations": [{"operationType": "create", "record": {"recordName": "root\#(round)",
                        "recordType": "Note", "fields": {}}}]}
                    """#))
            let tag = try #require(root["records"]?.array?.first?.object?["recordChangeTag"]?.string)
            let share = try Self.json(
                try await owner.send(
                    "records/modify",
                    #"""
                    {\#(zone), "operations": [{"operationType": "create", "record": {"recordName": "s\#(round)",
                        "recordType": "cloudkit.share", "fields": {}, "publicPermission": "NONE",
                        "forRecord": {"recordName": "root\#(round)", "recordChangeTag": "\#(tag)"},
                        "participants": [{"participantId": "L", "type": "USER", "permission": "READ_ONLY",
                            "acceptanceStatus": "INVITED"}],
                        "oneTimeStableUrlInfo": {"oneTimeLinks": [{"participantId": ["L"]}]}}}]}
                    """#))
            let links = share["records"]?.array?.first?.object?["oneTimeStableUrlInfo"]?.object?["oneTimeLinks"]
            let link = try #require(links?.array?.first?.object?["sharingLink"]?.string, "\(share)")
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for person in people {
                    group.addTask {
                        let answer = try await person.post(
                            "/database/1/c/development/public/records/accept",
                            #"{"shortGUIDs": [{"value": "\#(link)"}]}"#)
                        return String(decoding: answer.body, as: UTF8.self)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.contains("ACCEPTED") }.count == 1, "\(answers)")
            #expect(answers.filter { $0.contains("NOT_FOUND") }.count == 1, "\(answers)")
        }
        await stop(servers)
    }

    @Test("The schema grows and is deployed while all servers write, and no write is refused")
    func schema() async throws {
        let environment = try await environment()
        let servers = try await start(environment)
        let here = try await DevelopmentPerson(servers[0])
        #expect(try await here.create(["n"], text: "x").response.statusCode == 200)
        async let deployments = deploy(times: 3, environment)
        try await withThrowingDiscardingTaskGroup { group in
            for (index, server) in servers.enumerated() {
                group.addTask {
                    for number in 0..<12 {
                        let answer = try await here.at(server).send(
                            "records/modify",
                            #"""
                            {"operations": [{"operationType": "create", "record": {"recordName": "s\#(index)-\#(number)",
                                "recordType": "T\#(number % 4)", "fields": {"f\#(index)_\#(number)": {"value": \#(number)},
                                "same\#(number)": {"value": "x"}}}}]}
                            """#)
                        let text = String(decoding: answer.body, as: UTF8.self)
                        #expect(answer.response.statusCode == 200 && !text.contains("serverErrorCode"), "\(text)")
                    }
                }
            }
        }
        try await deployments
        try await deploy(times: 1, environment)
        for (program, place) in zip(programs, ["development", "production", "production"]) {
            let text = try await program.run(
                ["schema", "export", "c", "--environment", place], environment: environment
            ).output
            for index in 0..<3 { for number in 0..<12 { #expect(text.contains("f\(index)_\(number) ")) } }
        }
        let names = (0..<3).flatMap { index in (0..<12).map { "s\(index)-\($0)" } }
        for server in servers { #expect(try await here.at(server).found(names) == names) }
        await stop(servers)
    }

    private func deploy(times: Int, _ environment: [String: String]) async throws {
        for _ in 0..<times {
            let deployed = try await programs[1].run(["schema", "deploy", "c"], environment: environment)
            #expect(deployed.status == 0, "\(deployed.errors)")
        }
    }

    // MARK: What the tests share

    /// Saves so many notes through each server, all at the same time.
    private func writeThroughAll(
        _ servers: [RunningServer], _ person: DevelopmentPerson, count: Int, prefix: String = "n"
    ) async throws -> [String] {
        try await withThrowingDiscardingTaskGroup { group in
            for (index, server) in servers.enumerated() {
                group.addTask {
                    for number in 0..<count {
                        let answer = try await person.at(server).create(["\(prefix)\(index)-\(number)"], text: "x")
                        #expect(answer.response.statusCode == 200)
                    }
                }
            }
        }
        return servers.indices.flatMap { index in (0..<count).map { "\(prefix)\(index)-\($0)" } }
    }

    /// The names in the order in which they were saved.
    private func order(of names: [String], _ person: DevelopmentPerson) async throws -> [String] {
        let asked = names.map { #"{"recordName": "\#($0)"}"# }.joined(separator: ",")
        let found = try Self.json(
            try await person.send("records/lookup", #"{"records": [\#(asked)], "desiredKeys": []}"#))
        let places = (found["records"]?.array ?? []).compactMap { record -> (name: String, place: Int64)? in
            guard let name = record.object?["recordName"]?.string,
                let place = record.object?["recordChangeTag"]?.string.flatMap(ChangeTag.position)
            else { return nil }
            return (name, place)
        }
        return places.sorted { $0.place < $1.place }.map(\.name)
    }
}
