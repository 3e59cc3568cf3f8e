import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Requests that were good once, damaged at random but always the same way: whatever comes, never a 5xx.
struct FuzzTests {
    private static let seeds: [(endpoint: String, body: String)] = [
        (
            "records/modify",
            #"{"operations": [{"operationType": "create", "record": {"recordType": "Note", "fields": {"a": {"value": 1}, "b": {"value": "x", "type": "STRING"}, "c": {"value": [1, 2], "type": "INT64_LIST"}, "d": {"value": {"latitude": 1.5, "longitude": 2}}, "e": {"value": {"recordName": "n1", "action": "NONE"}}}, "parent": {"recordName": "n1"}, "createShortGUID": true}, "desiredKeys": ["a"]}], "zoneID": {"zoneName": "Z"}, "atomic": false, "numbersAsStrings": true}"#
        ),
        (
            "records/modify",
            #"{"operations": [{"operationType": "forceUpdate", "record": {"recordName": "n1", "recordType": "Note", "fields": {"a": {"value": 2.5, "type": "DOUBLE"}, "t": {"value": 1422312944104, "type": "TIMESTAMP"}}}}, {"operationType": "forceDelete", "record": {"recordName": "n2"}}]}"#
        ),
        (
            "records/query",
            #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "a", "comparator": "GREATER_THAN", "fieldValue": {"value": 0, "type": "INT64"}}, {"systemFieldName": "createdTimestamp", "comparator": "LESS_THAN", "fieldValue": {"value": 9422312944104, "type": "TIMESTAMP"}}], "sortBy": [{"fieldName": "b", "ascending": false}]}, "zoneID": {"zoneName": "Z"}, "resultsLimit": 10, "zoneWide": false, "continuationMarker": null, "desiredKeys": ["a"]}"#
        ),
        (
            "records/query",
            #"{"query": {"recordType": "Note", "filterBy": {"fieldName": "c", "comparator": "LIST_CONTAINS_ANY", "fieldValue": {"value": [1, 2], "type": "INT64_LIST"}}}, "zoneWide": true, "resultsLimit": 1}"#
        ),
        (
            "records/lookup",
            #"{"records": [{"recordName": "n1", "desiredKeys": ["a"]}, {"recordName": "n2"}], "zoneID": {"zoneName": "Z"}}"#
        ),
        (
            "records/changes",
            #"{"zoneID": {"zoneName": "Z"}, "syncToken": "AQEAAAAAAAAAAA==", "resultsLimit": 5, "reverse": true}"#
        ),
        (
            "changes/zone",
            #"{"zones": [{"zoneID": {"zoneName": "Z"}, "desiredKeys": ["a"], "desiredRecordTypes": ["Note"], "reverse": false}], "resultsLimit": 3}"#
        ),
        ("changes/database", #"{"syncToken": null, "resultsLimit": 1}"#),
        ("zones/changes", #"{"metaSyncToken": "AAAA", "resultsLimit": 1}"#),
        ("zones/lookup", #"{"zones": [{"zoneName": "Z"}, {"zoneName": "Y", "ownerRecordName": "_x"}]}"#),
        (
            "zones/modify",
            #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Y"}}}, {"operationType": "delete", "zone": {"zoneID": {"zoneName": "X"}}}]}"#
        ),
        ("zones/list", "{}"), ("users/caller", "{}"),
        (
            "users/discover",
            #"{"lookupInfos": [{"emailAddress": "mei@example.com"}, {"userRecordName": "_x"}, {"phoneNumber": "+1"}]}"#
        ),
        ("users/lookup/email", #"{"users": [{"emailAddress": "mei@example.com"}]}"#),
        ("users/lookup/id", #"{"users": [{"userRecordName": "_x"}]}"#),
    ]

    @Test("Random requests never get a server error", arguments: 0..<4 as Range<UInt64>)
    func fuzz(seed: UInt64) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "n1", fields: #""a": {"value": 1}, "c": {"value": [1]}, "b": {"value": "x"}"#)
            var mutator = Mutator(seed: seed)
            let end = ContinuousClock.now + .seconds(15)
            for _ in 0..<500 where ContinuousClock.now < end {
                let (endpoint, body) = mutator.pick(Self.seeds)
                let database = mutator.pick(["private", "private", "public", "shared"])
                let app = mutator.one(in: 8) ? server.app() : mei
                let bytes = mutator.mutated(body)
                let target =
                    mutator.one(in: 10)
                    ? mutator.mutatedTarget(app.target("\(database)/\(endpoint)"))
                    : app.target("\(database)/\(endpoint)")
                let answer = try await server.client.execute(uri: target, method: .post, body: ByteBuffer(bytes: bytes))
                #expect(
                    answer.status.code < 500,
                    "\(target) \(String(decoding: bytes, as: UTF8.self)): \(String(buffer: answer.body))")
                let faults = Contract.shared.faults(of: Answer(answer), to: .post, target)
                #expect(
                    faults == [], "\(target) \(String(decoding: bytes, as: UTF8.self)): \(String(buffer: answer.body))")
            }
            #expect(try await mei.lookup(zone: "Z", "nobody")["records.0.serverErrorCode"] == "NOT_FOUND")
        }
    }
}
