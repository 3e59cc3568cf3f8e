import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Damaged requests for subscriptions, and writes beside whatever of them was taken: never a 5xx.
struct SubscriptionFuzzTests {
    private static let fields =
        #""s": {"value": "text"}, "i": {"value": 1}, "d": {"value": 1.5}, "t": {"value": 5, "type": "TIMESTAMP"}, "b": {"value": "AP8=", "type": "BYTES"}, "l": {"value": ["a", "b"], "type": "STRING_LIST"}, "p": {"value": {"latitude": 1, "longitude": 2}, "type": "LOCATION"}, "r": {"value": {"recordName": "n1", "action": "NONE"}, "type": "REFERENCE"}"#

    private static let filters = [
        #"{"comparator": "EQUALS", "fieldName": "s", "fieldValue": {"value": "text", "type": "STRING"}}"#,
        #"{"comparator": "IN", "fieldName": "i", "fieldValue": {"value": [1, 2, 3], "type": "INT64_LIST"}}"#,
        #"{"comparator": "NOT_IN", "fieldName": "d", "fieldValue": {"value": [1.5], "type": "DOUBLE_LIST"}}"#,
        #"{"comparator": "BEGINS_WITH", "fieldName": "s", "fieldValue": {"value": "te"}}"#,
        #"{"comparator": "NEAR", "fieldName": "p", "fieldValue": {"value": {"latitude": 1, "longitude": 2}, "type": "LOCATION"}, "distance": 5}"#,
        #"{"comparator": "LIST_CONTAINS", "fieldName": "l", "fieldValue": {"value": "a"}}"#,
        #"{"comparator": "LIST_MEMBER_BEGINS_WITH", "fieldName": "l", "fieldValue": {"value": "a"}}"#,
        #"{"comparator": "CONTAINS_ALL_TOKENS", "fieldName": "s", "fieldValue": {"value": "text \"* OR"}}"#,
        #"{"comparator": "EQUALS", "fieldName": "r", "fieldValue": {"value": {"recordName": "n1"}, "type": "REFERENCE"}}"#,
        #"{"comparator": "LESS_THAN", "fieldName": "___modTime", "fieldValue": {"value": 9000000000000, "type": "TIMESTAMP"}}"#,
        #"{"comparator": "EQUALS", "systemFieldName": "recordName", "fieldValue": {"value": {"recordName": "n1"}, "type": "REFERENCE"}}"#,
        #"{"comparator": "GREATER_THAN", "fieldName": "b", "fieldValue": {"value": "AP8=", "type": "BYTES"}}"#,
    ]

    private static func create(_ subscription: String) -> (endpoint: String, body: String) {
        (
            "subscriptions/modify",
            #"{"operations": [{"operationType": "create", "subscription": \#(subscription)}]}"#
        )
    }

    private static let seeds: [(endpoint: String, body: String)] =
        filters.map { filter in
            create(
                #"""
                {"subscriptionType": "query", "zoneWide": true, "firesOn": ["create", "update", "delete"],
                    "query": {"recordType": "Note", "filterBy": [\#(filter)]},
                    "notificationInfo": {"alertLocalizationKey": "k", "alertLocalizationArgs": ["s", "r", "l"],
                        "additionalFields": ["s", "p", "b"], "shouldBadge": true, "soundName": "x"}}
                """#)
        } + [
            create(#"{"subscriptionType": "zone", "subscriptionID": "z", "zoneID": {"zoneName": "Notes"}}"#),
            create(#"{"subscriptionType": "database", "subscriptionID": "d", "firesOnce": false}"#),
            (
                "subscriptions/modify",
                #"{"operations": [{"operationType": "delete", "subscription": {"subscriptionID": "z"}}, {"operationType": "update", "subscription": {"subscriptionType": "database", "subscriptionID": "d"}}]}"#
            ),
            ("subscriptions/lookup", #"{"subscriptions": [{"subscriptionID": "z"}, {"subscriptionID": "none"}]}"#),
            ("subscriptions/list", "{}"),
        ]

    @Test("A damaged subscription request never gets a 5xx", arguments: 0..<3 as Range<UInt64>)
    func fuzz(seed: UInt64) async throws {
        try await TestServer.run(configure: { $0.limits.notifications.burst = 1_000_000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Notes")
            for database in ["private", "public"] { try await mei.save(in: database, "n1", fields: Self.fields) }
            let ear = try await mei.ear()
            var mutator = Mutator(seed: seed)
            let end = ContinuousClock.now + .seconds(15)
            for round in 0..<150 where ContinuousClock.now < end {
                let (endpoint, body) = mutator.pick(Self.seeds)
                let database = mutator.pick(["private", "public", "shared"])
                let bytes = mutator.one(in: 3) ? Array(body.utf8) : mutator.mutated(body)
                let target = mei.target("\(database)/\(endpoint)")
                let answer = Answer(
                    try await server.client.execute(uri: target, method: .post, body: ByteBuffer(bytes: bytes)))
                let sent = "\(target) \(String(decoding: bytes, as: UTF8.self)): \(answer.text)"
                #expect(answer.status < 500, "\(sent)")
                #expect(Contract.shared.faults(of: answer, to: .post, target) == [], "\(sent)")
                // Whatever is subscribed to now, records come, change and go.
                if round.isMultiple(of: 5) { try await write(round, mei) }
            }
            // Messages come in order: the last is the marker's.
            try await mei.watchNotes("marker")
            try await mei.save("marker")
            var last: Answer
            repeat {
                last = try await ear.poll()
                #expect(last.status == 200 && last["ck.cid"] != nil, "\(last.text)")
                #expect(last.text.utf8.count <= 4096)
            } while last.news != "marker marker" && last["ck.cid"] != nil
        }
    }

    private func write(_ round: Int, _ app: App) async throws {
        for database in ["private", "public"] {
            let name = "n\(round % 2 + 1)"
            let answer = try await app.modify(
                in: database,
                [
                    Operation.write("forceReplace", name, fields: Self.fields), Operation.delete("n3"),
                    Operation.write("forceReplace", "n4", fields: ""),
                ])
            #expect(answer.status == 200, "\(answer.text)")
        }
    }
}
