import TestCloud
import CloudModel
import Synchronization
import Testing

/// Queries that ask for what cannot be: each is refused with the field and the limit, and none breaks the server.
struct BadQueryTests {
    private static func places(_ server: TestServer) async throws -> App {
        let mei = try await server.signIn("mei@example.com")
        let file = try await mei.upload([1, 2, 3])
        for name in ["p1", "p2", "p3"] {
            try await mei.save(
                name, type: "Place",
                fields: #"""
                    "title": {"value": "The \#(name)"}, "n": {"value": 1, "type": "INT64"}, "tags": {"value": ["x"]},
                    "when": {"value": 5, "type": "TIMESTAMP"}, "ref": {"value": {"recordName": "x"}},
                    "data": {"value": "AAAA", "type": "BYTES"}, "file": {"value": \#(file)},
                    "at": {"value": {"latitude": 1, "longitude": 2}}
                    """#)
        }
        return mei
    }

    private static func filter(_ field: String, _ comparator: String, _ value: String, more: String = "") -> String {
        #""filterBy": {"fieldName": "\#(field)", "comparator": "\#(comparator)", "fieldValue": {"value": \#(value)}\#(more)}"#
    }

    private static func near(_ value: String, _ distance: String?) -> String {
        filter("at", "NEAR", value, more: distance.map { #", "distance": \#($0)"# } ?? "")
    }

    private static let here = #"{"latitude": 1, "longitude": 2}"#

    private static func list(_ count: Int, _ element: String) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test("Sorting by an encrypted field is accepted without effect, and filtering by it is refused")
    func encryptedFields() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for (name, secret) in [("a", "z"), ("b", "m"), ("c", "a")] {
                try await mei.save(
                    name, type: "Diary",
                    fields: #""secret": {"value": "\#(secret)", "type": "STRING", "isEncrypted": true}"#)
            }
            var names: [String] = []
            var marker = ""
            for _ in 0..<3 {
                let page = try await mei.post(
                    "private/records/query",
                    #"""
                    {"resultsLimit": 1, "query": {"recordType": "Diary", "sortBy": [{"fieldName": "secret"}]}\#(marker)}
                    """#)
                #expect(page.status == 200, "\(page.text)")
                names += page.recordNames
                marker = #", "continuationMarker": "\#(page["continuationMarker"]?.string ?? "")""#
            }
            #expect(names.sorted() == ["a", "b", "c"])
            let filter = Self.filter("secret", "EQUALS", #""z""#)
            let refused = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "Diary", \#(filter)}}"#)
            #expect(refused.status == 400)
            #expect(
                refused.reason.hasPrefix("Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried"))
        }
    }

    private static let refusals: [(String, String)] = [
        (filter("file", "EQUALS", #""x""#), "Field 'file' has a value type of ASSETID and cannot be queried"),
        (filter("file", "NOT_IN", #"["x"]"#), "Field 'file' has a value type of ASSETID and cannot be queried"),
        (filter("data", "EQUALS", #""AAAA""#), "Field 'data' has a value type of BYTES and cannot be queried"),
        (filter("data", "BEGINS_WITH", #""AAAA""#), "Field 'data' has a value type of BYTES and cannot be queried"),
        (filter("at", "EQUALS", here), "Field 'at' has a value type of LOCATION and cannot be queried"),
        (#""sortBy": {"fieldName": "file"}"#, "Field 'file' has a value type of ASSETID and cannot be sorted by"),
        (#""sortBy": {"fieldName": "data"}"#, "Field 'data' has a value type of BYTES and cannot be sorted by"),
        (filter("n", "EQUALS", #""one""#), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "EQUALS", "1.5"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "EQUALS", "[1]"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "EQUALS", "9223372036854775808"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "EQUALS", "-9223372036854775809"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "GREATER_THAN", "-9223372036854776832"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("n", "IN", "[1, -9223372036854775809]"), "Invalid value, expected type INT64. Field 'n'"),
        (filter("when", "LESS_THAN", "-9223372036854775809"), "Invalid value, expected type TIMESTAMP. Field 'when'"),
        (filter("title", "EQUALS", "5"), "Invalid value, expected type STRING. Field 'title'"),
        (filter("title", "IN", #"["x", 5]"#), "Invalid value, expected type STRING. Field 'title'"),
        (filter("title", "BEGINS_WITH", "{}"), "Invalid value, expected type STRING. Field 'title'"),
        (filter("when", "LESS_THAN", "1.5"), "Invalid value, expected type TIMESTAMP. Field 'when'"),
        (filter("ref", "EQUALS", "{}"), "Invalid value, expected type REFERENCE. Field 'ref': a reference needs"),
        (filter("tags", "LIST_CONTAINS", "5"), "Invalid value, expected type STRING. Field 'tags'"),
        (filter("___recordID", "EQUALS", "5"), "Invalid value, expected type REFERENCE. Field 'recordName'"),
        (filter("title", "EQUALS", "null"), "query.filterBy[0].fieldValue.value is missing"),
        (filter("title", "IN", "[]"), "IN on field 'title' has 0 operands, 1 to 1000 are allowed"),
        (filter("tags", "LIST_CONTAINS_ALL", "[]"), "LIST_CONTAINS_ALL on field 'tags' has 0 operands, 1 to 1000"),
        (filter("n", "IN", list(1001, "1")), "IN on field 'n' has 1001 operands, 1 to 1000 are allowed"),
        (filter("n", "IN", "1"), "IN on field 'n' needs an array, not a number"),
        (#""filterBy": \#(list(101, "{}"))"#, "query.filterBy has 101 elements, at most 100 are allowed"),
        (#""sortBy": \#(list(17, "{}"))"#, "query.sortBy has 17 elements, at most 16 are allowed"),
        (near(#"{"latitude": 91, "longitude": 2}"#, "5"), "Field 'at': latitude must be within ±90"),
        (near(#"{"latitude": 1, "longitude": -180.5}"#, "5"), "Field 'at': latitude must be within ±90"),
        (near(#"{"latitude": 1}"#, "5"), "Invalid value, expected type LOCATION. Field 'at'"),
        (near(#"{"latitude": "nan", "longitude": 2}"#, "5"), "Invalid value, expected type LOCATION. Field 'at'"),
        (near("5", "5"), "Invalid value, expected type LOCATION. Field 'at'"),
        (near("[\(here)]", "5"), "Invalid value, expected type LOCATION. Field 'at'"),
        (near(here, nil), "NEAR on field 'at' needs a distance in metres"),
        (near(here, "null"), "NEAR on field 'at' needs a distance in metres"),
        (near(here, "-1"), "NEAR on field 'at': distance must be a number of metres, 0 or more, not -1"),
        (near(here, "-0.5"), "NEAR on field 'at': distance must be a number of metres, 0 or more, not -0.5"),
        (near(here, #""far""#), "NEAR on field 'at': distance must be a number of metres, 0 or more, not a string"),
        (near(here, #""inf""#), "NEAR on field 'at': distance must be a number of metres, 0 or more, not a string"),
        (near(here, "{}"), "NEAR on field 'at': distance must be a number of metres, 0 or more"),
        (filter("n", "NEAR", here, more: #", "distance": 1"#), "Field 'n' has a value type of INT64 and cannot be"),
        (filter("title", "CONTAINS_ALL_TOKENS", #""the and of""#), "CONTAINS_ALL_TOKENS on field 'title' has 0 words"),
        (filter("title", "CONTAINS_ANY_TOKENS", #"" ,\u0000! ""#), "CONTAINS_ANY_TOKENS on field 'title' has 0 words"),
        (filter("title", "CONTAINS_ANY_TOKENS", "[]"), "has 0 words to search for, 1 to 1000 are allowed"),
        (filter("title", "CONTAINS_ANY_TOKENS", "7"), "CONTAINS_ANY_TOKENS on field 'title' needs words"),
        (
            filter("tags", "CONTAINS_ANY_TOKENS", #""x""#),
            "Field 'tags' is not marked searchable; add SEARCHABLE to tags"
        ),
        (filter("n", "CONTAINS_ANY_TOKENS", #""x""#), "Field 'n' has a value type of INT64 and cannot be queried"),
        (filter("___recordID", "CONTAINS_ANY_TOKENS", #""x""#), "Field 'recordName' has a value type of REFERENCE"),
        (
            #""sortBy": {"fieldName": "at"}"#,
            "Field 'at' has a value type of LOCATION and cannot be sorted by: relative"
        ),
        (
            #""sortBy": {"fieldName": "n", "relativeLocation": \#(here)}"#,
            "cannot be sorted by the distance from a place"
        ),
        (#""sortBy": {"fieldName": "at", "relativeLocation": 5}"#, "Invalid value, expected type LOCATION. Field 'at'"),
        (#""sortBy": {"fieldName": "at", "relativeLocation": {"value": null}}"#, "relativeLocation.value is missing"),
        (
            #""sortBy": {"fieldName": "at", "relativeLocation": {"latitude": -91, "longitude": 0}}"#,
            "Field 'at': latitude must be within ±90"
        ),
        (#""filterBy": {"comparator": "NEAR", "fieldValue": {"value": 5}}"#, "query.filterBy[0] needs a fieldName"),
    ]

    @Test("An impossible query is refused by the field at fault") func impossible() async throws {
        try await TestServer.run { server in
            let mei = try await Self.places(server)
            for (query, reason) in Self.refusals {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Place", \#(query)}}"#)
                #expect(answer.status == 400 && answer.code == "BAD_REQUEST", "\(query): \(answer.text)")
                #expect(answer.reason.contains(reason), "\(query.prefix(300)): \(answer.reason)")
            }
        }
    }

    /// Half a character, and numbers that are none, are no JSON.
    @Test(
        "A query whose body is not JSON is refused",
        arguments: [#""\ud800""#, #""a\udc00b""#, "NaN", "1e999", "-1e999"])
    func notJSON(value: String) async throws {
        try await TestServer.run { server in
            let mei = try await Self.places(server)
            for filter in [Self.filter("title", "BEGINS_WITH", value), Self.near(Self.here, value)] {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Place", \#(filter)}}"#)
                #expect(answer.status == 400 && answer.code == "BAD_REQUEST", "\(filter): \(answer.text)")
            }
        }
    }

    /// Strange, and answered.
    @Test(
        "An odd but valid query is answered",
        arguments: [
            (filter("title", "BEGINS_WITH", #""\u0000""#), 0), (filter("title", "BEGINS_WITH", #""\ud83c\udfd4""#), 0),
            (filter("title", "BEGINS_WITH", #""\uffff""#), 0), (filter("title", "BEGINS_WITH", #""\udbff\udfff""#), 0),
            (filter("n", "IN", list(1000, "1")), 3), (near(here, "0"), 3), (near(here, "1e300"), 3),
            (near(here, #""5.5""#), 3), (#""filterBy": null, "sortBy": []"#, 3),
            (filter("title", "CONTAINS_ALL_TOKENS", #""\"p1\" OR NOT * p2""#), 0),
            (#""sortBy": {"fieldName": "at", "relativeLocation": {"type": "LOCATION", "value": \#(here)}}"#, 3),
            (#""sortBy": {"fieldName": "at", "relativeLocation": {"latitude": 90, "longitude": 180}}"#, 3),
        ])
    func odd(query: String, count: Int) async throws {
        try await TestServer.run { server in
            let mei = try await Self.places(server)
            let answer = try await mei.post("private/records/query", #"{"query": {"recordType": "Place", \#(query)}}"#)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.recordNames.count == count)
        }
    }

    @Test("A continuation marker is refused with another query, zone, user or server")
    func foreignMarker() async throws {
        let query =
            #""query": {"recordType": "Place", "sortBy": {"fieldName": "at", "relativeLocation": \#(Self.here)}}"#
        let given = Mutex("")
        try await TestServer.run { server in
            let mei = try await Self.places(server)
            let first = try await mei.post("private/records/query", #"{\#(query), "resultsLimit": 1}"#)
            let text = try #require(first["continuationMarker"]?.string)
            let marker = #""continuationMarker": "\#(text)""#
            #expect(try await mei.post("private/records/query", "{\(query), \(marker)}").recordNames == ["p2", "p3"])
            try await mei.makeZone("Z")
            let leo = try await server.signIn("leo@example.com")
            try await leo.save("l", type: "Place")
            let attempts = [
                (mei, "private", query.replacing(#""latitude": 1"#, with: #""latitude": 1.1"#), ""),
                (mei, "private", #""query": {"recordType": "Place"}"#, ""),
                (mei, "private", query, #", "zoneID": {"zoneName": "Z"}"#),
                (mei, "private", query, #", "zoneWide": true"#),
                (mei, "public", query, ""), (leo, "private", query, ""),
            ]
            for (app, database, query, more) in attempts {
                let answer = try await app.post("\(database)/records/query", "{\(query), \(marker)\(more)}")
                #expect(answer.status == 400 && answer.reason.hasPrefix("continuationMarker"), "\(answer.text)")
            }
            given.withLock { $0 = marker }
        }
        let marker = given.withLock { $0 }
        try await TestServer.run { strange in
            let mei = try await Self.places(strange)
            let answer = try await mei.post("private/records/query", "{\(query), \(marker)}")
            #expect(answer.status == 400 && answer.reason.hasPrefix("continuationMarker"), "\(answer.text)")
        }
    }
}
