import CloudHTTP
import CloudModel
import CloudOperations
import CloudStore
import NIOCore
import Testing

/// Two people, a shared zone, public records and somebody who is told of changes.
package struct RehearsalStage: Sendable {
    package let server: TestServer
    package let mei: App
    package let omar: App
    private let token: String

    package struct Request: Sendable, CustomStringConvertible {
        /// Nil for nobody.
        package let who: App?
        package let database: String
        package let operation: String
        package let body: String

        package init(who: App?, database: String, operation: String, body: String) {
            self.who = who
            self.database = database
            self.operation = operation
            self.body = body
        }

        package var description: String { "\(database)/\(operation) by \(who?.user ?? "nobody"): \(body)" }
    }

    package init(server: TestServer) async throws {
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

    package func rehearse(_ request: Request) async throws -> Answer {
        let user = request.who.map { #""user": "\#($0.user)", "# } ?? ""
        return try await server.manage(
            .post, "iCloud.com.example.test/development/act-as", token: token,
            body:
                #"{\#(user)"database": "\#(request.database)", "operation": "\#(request.operation)", "body": \#(request.body)}"#
        )
    }

    package func send(_ request: Request) async throws -> Answer {
        try await (request.who ?? server.app()).post("\(request.database)/\(request.operation)", request.body)
    }

    /// Everything that a request could leave behind: sync tokens, usage, what waits for devices, the schema.
    package func state() async throws -> [String] {
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

    package func request(_ generator: inout SeededGenerator) -> Request {
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
