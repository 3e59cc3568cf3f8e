import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Whether a subscription would fire: the answer is what happens.
@Suite(.timeLimit(.minutes(20)))
struct SubscriptionTestTests {
    private static let place = "iCloud.com.example.test/development"

    @Test("For 75 generated subscriptions and changes the test predicts what fires")
    func answers() async throws {
        try await TestServer.run { server in
            let stage = try await RehearsalStage(server: server)
            let token = try await server.managementToken()
            _ = try await stage.omar.ear("phone")
            for (database, name) in [("public", "q"), ("private", "z")] {
                _ = try await stage.mei.post(
                    "\(database)/subscriptions/modify",
                    #"{"operations": [{"operationType": "delete", "subscription": {"subscriptionID": "\#(name)"}}]}"#)
            }
            try await stage.mei.save(zone: "Z", "n1", fields: #""stars": {"value": 1}, "title": {"value": "t"}"#)
            try await stage.mei.save("n1", fields: #""stars": {"value": 1}, "title": {"value": "t"}"#)
            var generator = SeededGenerator(seed: 7)
            var fired = 0
            for index in 0..<75 {
                let scene = Scene(stage, index, &generator)
                let made = try await scene.who.post(
                    "\(scene.database)/subscriptions/modify",
                    #"{"operations": [{"operationType": "create", "subscription": \#(scene.subscription)}]}"#)
                #expect(made["subscriptions.0.serverErrorCode"] == nil, "\(scene.subscription): \(made.text)")
                let list = try await server.manage(.get, "\(Self.place)/subscriptions?limit=1000", token: token)
                let id = try #require(
                    list.json[path: "items"]?.array?.first {
                        $0[path: "subscription.subscriptionID"]?.string == "s\(index)"
                    }?[path: "id"]?.integer)
                let path = "\(Self.place)/subscriptions/\(id)/test?\(scene.query)"
                // The test reads a deleted record before its deletion, and other records after their change.
                var answer = scene.change == "delete" ? try await server.manage(.get, path, token: token) : nil
                let before = try await queued(scene.who, server, token)
                try await scene.perform()
                let after = try await queued(scene.who, server, token)
                if answer == nil { answer = try await server.manage(.get, path, token: token) }
                #expect(answer?["fires"]?.bool == (after > before), "\(scene): \(answer?.text ?? "")")
                if after > before { fired += 1 }
                try await scene.cleanUp()
            }
            #expect((15...60).contains(fired), "\(fired) have fired")
        }
    }

    @Test("Testing a subscription names the condition that keeps it from firing") func failedCondition() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let token = try await server.managementToken()
            try await mei.save("n1", fields: #""stars": {"value": 3}"#)
            _ = try await mei.post(
                "private/subscriptions/modify",
                #"{"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query", "subscriptionID": "q", "firesOn": ["update"], "query": {"recordType": "Note", "filterBy": [{"fieldName": "stars", "comparator": "GREATER_THAN", "fieldValue": {"value": 3}}]}}}]}"#
            )
            let list = try await server.manage(.get, "\(Self.place)/subscriptions", token: token)
            let id = try #require(list["items.0.id"]?.integer)
            let ask = { (more: String) in
                try await server.manage(
                    .get, "\(Self.place)/subscriptions/\(id)/test?recordName=n1&\(more)", token: token)
            }
            let own = try await ask("user=\(mei.user)")
            #expect(own["verdict"] == "No: stars 3 is not > 3.", "\(own.text)")
            let gone = try await ask("user=\(mei.user)&change=delete")
            #expect(gone["verdict"] == "No: it does not fire on delete.")
            try await mei.save("n1", fields: #""stars": {"value": 4}"#)
            #expect(try await ask("user=\(mei.user)")["verdict"] == "Yes.")
            #expect(try await ask("user=\(mei.user)&change=melt").status == 400)
            #expect(try await ask("").status == 404)
            let unknown = try await server.manage(
                .get, "\(Self.place)/subscriptions/999/test?recordName=n1&user=\(mei.user)", token: token)
            #expect(unknown.status == 404)
        }
    }

    /// The notifications that wait for a user's devices.
    private func queued(_ app: App, _ server: TestServer, _ token: String) async throws -> Int64 {
        let devices = try await server.manage(.get, "\(Self.place)/devices", token: token).json[path: "items"]
        return (devices?.array ?? []).filter { $0[path: "userRecordName"]?.string == app.user }
            .compactMap { $0[path: "queued"]?.integer }.reduce(0, +)
    }
}

/// A subscription and a change that may fire it.
private struct Scene: CustomStringConvertible {
    let who: App
    let database: String
    let subscription: String
    let change: String
    private let mei: App
    private let index: Int
    private let target: (database: String, zone: String?)
    private let stars: Int
    private let type: String

    init(_ stage: RehearsalStage, _ index: Int, _ generator: inout SeededGenerator) {
        self.index = index
        mei = stage.mei
        let kinds: [(App, String, String)] = [
            (mei, "private", "query"), (mei, "private", "query"), (mei, "public", "query"),
            (stage.omar, "public", "query"), (stage.omar, "shared", "database"), (mei, "private", "zone"),
            (mei, "private", "database"),
        ]
        let kind: String
        (who, database, kind) = kinds.randomElement(using: &generator) ?? (stage.mei, "private", "query")
        let targets: [(String, String?)] = [("public", nil), ("private", nil), ("private", "Z")]
        target = targets.randomElement(using: &generator) ?? ("public", nil)
        change = ["create", "update", "update", "delete"].randomElement(using: &generator) ?? "update"
        stars = Int.random(in: 0..<4, using: &generator)
        type = ["Note", "Note", "Note", "List"].randomElement(using: &generator) ?? "Note"
        let reasons = ["create", "update", "delete"].filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
        let comparator =
            ["EQUALS", "NOT_EQUALS", "GREATER_THAN", "LESS_THAN_OR_EQUALS"].randomElement(using: &generator) ?? "EQUALS"
        let operand = Int.random(in: 0..<4, using: &generator)
        let filter =
            #"{"fieldName": "stars", "comparator": "\#(comparator)", "fieldValue": {"value": \#(operand)}}"#
        let filters = Bool.random(using: &generator) ? filter : ""
        let zone = kind == "zone" || (database == "private" && Bool.random(using: &generator))
        let place = zone && kind != "database" ? #", "zoneID": {"zoneName": "Z"}"# : ""
        let query =
            kind == "query"
            ? #", "firesOn": \#(reasons.isEmpty ? ["update"] : reasons), "query": {"recordType": "Note", "filterBy": [\#(filters)]}"#
            : ""
        subscription =
            #"{"subscriptionType": "\#(kind)", "subscriptionID": "s\#(index)"\#(place)\#(query)}"#
    }

    var description: String { "\(subscription) of \(database), \(change) of \(type) with \(stars) in \(target)" }

    /// The record that is asked about.
    var query: String {
        let user = target.database == "public" ? "" : "&user=\(mei.user)"
        return "recordName=\(name)&change=\(change)\(user)" + (target.zone.map { "&zone=\($0)" } ?? "")
    }

    private var name: String { change == "create" ? "c\(index)" : type == "Note" ? "n1" : "list" }

    func perform() async throws {
        if change == "delete" {
            _ = try await mei.modify(in: target.database, zone: target.zone, [Operation.delete(name)])
        } else {
            try await mei.save(
                in: target.database, zone: target.zone, name, type: type, fields: #""stars": {"value": \#(stars)}"#)
        }
    }

    /// Drops the subscription, and puts back the record that was deleted.
    func cleanUp() async throws {
        _ = try await who.post(
            "\(database)/subscriptions/modify",
            #"{"operations": [{"operationType": "delete", "subscription": {"subscriptionID": "s\#(index)"}}]}"#)
        for (type, name) in [("Note", "n1"), ("List", "list")] {
            try await mei.save(
                in: target.database, zone: target.zone, name, type: type, fields: #""stars": {"value": 1}"#)
        }
    }
}
