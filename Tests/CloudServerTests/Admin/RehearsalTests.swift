import CloudModel
import CloudOperations
import CloudServer
import CloudStore
import NIOCore
import Testing

/// Requests that are tried as somebody: they are answered as the real ones, and leave nothing behind.
@Suite(.timeLimit(.minutes(20)))
struct RehearsalTests {
    private static let container = "iCloud.com.example.test"

    @Test("300 generated requests are answered in a dry run as they are for real, without a change")
    func sameAnswers() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: clock.now) { server in
            let stage = try await RehearsalStage(server: server)
            var generator = SeededGenerator(seed: 20_260_917)
            var refused = 0
            for _ in 0..<300 {
                clock.advance(.seconds(1))
                let request = stage.request(&generator)
                let before = try await stage.state()
                let dry = try await stage.rehearse(request)
                #expect(try await stage.state() == before, "\(request)")
                let real = try await stage.send(request)
                #expect(dry["status"]?.integer == Int64(real.status), "\(request): \(dry.text)")
                let (tried, answered) = (try Self.plain(dry["answer"]), try Self.plain(real.json))
                #expect(tried == answered, "\(request)")
                let isRefused = real.status != 200 || real.text.contains("serverErrorCode")
                #expect(dry["isRefused"]?.bool == isRefused, "\(request)")
                if isRefused { refused += 1 }
            }
            #expect((60...240).contains(refused), "\(refused) of the requests were refused")
        }
    }

    @Test("Act as shows whether a request would be refused, and why") func verdict() async throws {
        try await TestServer.run { server in
            let stage = try await RehearsalStage(server: server)
            let dry = try await stage.rehearse(
                RehearsalStage.Request(
                    who: stage.omar, database: "public", operation: "records/modify",
                    body:
                        #"{"operations": [{"operationType": "forceDelete", "record": {"recordName": "n1"}}]}"#))
            #expect(dry["verdict"]?.string?.hasPrefix("Would be refused: ACCESS_DENIED, because") == true)
            #expect(dry["operations.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(dry.column("trail", "outcome").last == .string("stopped"))
            let nobody = try await stage.rehearse(
                RehearsalStage.Request(
                    who: nil, database: "private", operation: "records/query",
                    body: #"{"query": {"recordType": "Note"}}"#))
            #expect(nobody["status"] == 421 && nobody["answer.serverErrorCode"] == "AUTHENTICATION_REQUIRED")
            let lines = try await server.accounts.audit.entries(limit: 10)
            #expect(
                lines.filter { $0.action == "tried a request as somebody" }.map(\.person) == [nil, stage.omar.user])
        }
    }

    @Test(
        "Act as with wrong arguments answers BAD_REQUEST",
        arguments: [
            #"{}"#, #"{"operation": "zones/modify", "body": {}}"#, #"{"operation": "records/query"}"#,
            #"{"operation": "records/query", "body": [], "database": "public"}"#,
            #"{"operation": "records/query", "body": {}, "database": "secret"}"#,
            #"{"operation": "records/query", "body": {}, "user": "_a", "key": "b"}"#,
            #"{"operation": "records/query", "body": {}, "user": "_a", "operator": true}"#,
            #"{"operation": "records/query", "body": {}, "database": "private", "operator": true}"#,
            #"{"operation": "records/query", "body": {}, "operator": "yes"}"#,
        ])
    func badArguments(body: String) async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken([.recordsRead])
            let answer = try await server.manage(
                .post, "\(Self.container)/development/act-as", token: token, body: body)
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    /// Sorted, without what is of one request alone: its id, and the link to sign in.
    private static func plain(_ value: JSONValue?) throws -> String {
        let members = (value?.object?.members ?? []).filter { !["uuid", "redirectURL"].contains($0.key) }
        return String(decoding: try OperationJSON.encode(JSONValue.object(JSONObject(members))), as: UTF8.self)
    }
}

/// Two people, a shared zone, public records and somebody who is told of changes.
struct RehearsalStage: Sendable {
    let server: TestServer
    let mei: App
    let omar: App
    private let token: String

    struct Request: Sendable, CustomStringConvertible {
        /// Nil for nobody.
        let who: App?
        let database: String
        let operation: String
        let body: String

        var description: String { "\(database)/\(operation) by \(who?.user ?? "nobody"): \(body)" }
    }

    init(server: TestServer) async throws {
        self.server = server
        token = try await server.managementToken()
        mei = try await server.signIn("mei@example.com")
        omar = try await server.signIn("omar@example.com")
        try await mei.makeZone("Z")
        try await mei.save(zone: "Z", "root", type: "List", fields: #""title": {"value": "x"}"#)
        let share = try await mei.share(nil, in: "Z", permission: "READ_WRITE")
        _ = try await omar.accept(share)
        for index in 0..<4 {
            try await mei.save(
                in: "public", "n\(index)",
                fields: #""title": {"value": "t\#(index)"}, "stars": {"value": \#(index)}"#)
        }
        _ = try await omar.save("o", fields: #""stars": {"value": 1}"#)
        _ = try await mei.ear("phone")
        _ = try await mei.post(
            "private/subscriptions/modify",
            #"{"operations": [{"operationType": "create", "subscription": {"subscriptionType": "zone", "subscriptionID": "z", "zoneID": {"zoneName": "Z"}}}]}"#
        )
        _ = try await mei.post(
            "public/subscriptions/modify",
            #"{"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query", "subscriptionID": "q", "firesOn": ["create", "update", "delete"], "query": {"recordType": "Note"}}}]}"#
        )
    }

    func rehearse(_ request: Request) async throws -> Answer {
        let user = request.who.map { #""user": "\#($0.user)", "# } ?? ""
        return try await server.manage(
            .post, "iCloud.com.example.test/development/act-as", token: token,
            body:
                #"{\#(user)"database": "\#(request.database)", "operation": "\#(request.operation)", "body": \#(request.body)}"#
        )
    }

    func send(_ request: Request) async throws -> Answer {
        try await (request.who ?? server.app()).post("\(request.database)/\(request.operation)", request.body)
    }

    /// Everything that a request could leave behind: sync tokens, usage, what waits for devices, the schema.
    func state() async throws -> [String] {
        var state: [String] = []
        for path in ["usage", "devices", "types", "schema", "subscriptions", "owners"] {
            state.append(
                try await server.manage(.get, "iCloud.com.example.test/development/\(path)", token: token).text)
        }
        for (app, database) in [(mei, "private"), (omar, "private"), (omar, "shared")] {
            state.append(try await app.post("\(database)/changes/database", "{}").text)
        }
        return state
    }

    func request(_ generator: inout SeededGenerator) -> Request {
        let scenes: [(App?, String)] = [
            (mei, "public"), (mei, "public"), (omar, "public"), (nil, "public"), (mei, "private"), (mei, "private"),
            (omar, "shared"), (omar, "shared"), (omar, "private"), (nil, "private"),
        ]
        let (who, database) = scenes.randomElement(using: &generator) ?? (nil, "public")
        let zone =
            database == "public"
            ? "" : #", "zoneID": {"zoneName": "Z", "ownerRecordName": "\#(mei.user)"}"#
        let operation =
            ["records/modify", "records/modify", "records/query", "records/lookup"]
            .randomElement(using: &generator) ?? "records/query"
        let body =
            switch operation {
            case "records/modify": modification(&generator, zone)
            case "records/query": query(&generator, zone)
            default:
                #"{"records": [{"recordName": "n\#(Int.random(in: 0..<8, using: &generator))"}]\#(zone)}"#
            }
        return Request(who: who, database: database, operation: operation, body: body)
    }

    private func modification(_ generator: inout SeededGenerator, _ zone: String) -> String {
        let operations = Set((0..<2).map { _ in Int.random(in: 0..<8, using: &generator) }).sorted().map { number in
            let kind =
                [
                    "create", "update", "delete", "forceUpdate", "forceUpdate", "forceReplace", "forceReplace",
                    "forceDelete",
                ]
                .randomElement(using: &generator) ?? "create"
            let tag = Bool.random(using: &generator) ? "1" : "\(Int.random(in: 1..<9, using: &generator))"
            let fields = [
                #""stars": {"value": \#(Int.random(in: 0..<9, using: &generator))}"#, #""title": {"value": "new"}"#,
                #""stars": {"value": 7}, "title": {"value": "seven"}"#, #""stars": {"value": "three"}"#,
                #""extra\#(number)": {"value": 1.5}"#,
                #""next": {"value": {"recordName": "n\#(number + 1)", "action": "VALIDATE"}}"#,
            ].randomElement(using: &generator)
            return Operation.write(
                kind, "n\(number)", tag: kind.hasPrefix("force") || kind == "create" ? nil : tag,
                fields: kind.lowercased().hasSuffix("delete") ? "" : fields ?? "")
        }
        let atomic = Bool.random(using: &generator) ? "" : #", "atomic": false"#
        return #"{"operations": [\#(operations.joined(separator: ", "))]\#(zone)\#(atomic)}"#
    }

    private func query(_ generator: inout SeededGenerator, _ zone: String) -> String {
        let comparator =
            ["EQUALS", "NOT_EQUALS", "GREATER_THAN", "LESS_THAN_OR_EQUALS", "LESS_THAN", "BEGINS_WITH"].randomElement(
                using: &generator)
            ?? "EQUALS"
        let field = ["stars", "stars", "title", "unknown"].randomElement(using: &generator) ?? "stars"
        let value = field == "title" ? #""t""# : "\(Int.random(in: 0..<4, using: &generator))"
        let filter =
            #"{"fieldName": "\#(field)", "comparator": "\#(comparator)", "fieldValue": {"value": \#(value)}}"#
        let type = ["Note", "Note", "List", "Nothing"].randomElement(using: &generator) ?? "Note"
        return
            #"{"query": {"recordType": "\#(type)", "filterBy": [\#(filter)], "sortBy": [{"fieldName": "stars"}]}\#(zone)}"#
    }
}
