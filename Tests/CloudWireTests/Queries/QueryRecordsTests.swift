import TestCloud
import CloudModel
import Testing

/// records/query on the wire (reference A §5). What each comparator matches is the store's to test.
struct QueryRecordsTests {
    /// Airports in two zones of Mei's private database and in the default zone.
    private static func airports(_ server: TestServer) async throws -> App {
        let mei = try await server.signIn("mei@example.com")
        try await mei.makeZone("Z")
        for (index, code) in ["AAA", "BBB", "CCC", "DDD", "EEE"].enumerated() {
            try await mei.save(
                code, type: "Airport",
                fields:
                    #""code": {"value": "\#(code)"}, "runways": {"value": \#(index)}, "tags": {"value": ["x", "t\#(index)"]}"#
            )
        }
        try await mei.save(
            zone: "Z", "ZZZ", type: "Airport", fields: #""code": {"value": "ZZZ"}, "runways": {"value": 9}"#)
        return mei
    }

    @Test("A query filters and sorts records")
    func filtersAndSorts() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            for (query, names) in [
                (#""filterBy": []"#, ["AAA", "BBB", "CCC", "DDD", "EEE"]),
                (#""filterBy": null, "sortBy": null"#, ["AAA", "BBB", "CCC", "DDD", "EEE"]),
                (
                    #""filterBy": {"fieldName": "code", "comparator": "EQUALS", "fieldValue": {"value": "BBB"}}"#,
                    ["BBB"]
                ),
                (
                    #""filterBy": [{"fieldName": "code", "comparator": "IN", "fieldValue": {"type": "STRING_LIST", "value": ["AAA", "EEE"]}}]"#,
                    ["AAA", "EEE"]
                ),
                (
                    #""filterBy": [{"fieldName": "runways", "comparator": "IN", "fieldValue": {"type": "INT64_LIST", "value": [1, 2]}}]"#,
                    ["BBB", "CCC"]
                ),
                (
                    #""filterBy": [{"fieldName": "runways", "comparator": "GREATER_THAN", "fieldValue": {"value": 1}}, {"fieldName": "runways", "comparator": "LESS_THAN", "fieldValue": {"value": 4}}]"#,
                    ["CCC", "DDD"]
                ),
                (
                    #""filterBy": [{"fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": {"value": "t3"}}]"#,
                    ["DDD"]
                ),
                (
                    #""filterBy": [{"systemFieldName": "recordName", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "CCC"}}}]"#,
                    ["CCC"]
                ),
                (
                    #""filterBy": [{"fieldName": "___recordID", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "CCC"}}}]"#,
                    ["CCC"]
                ),
                (
                    #""filterBy": [{"fieldName": "recordName", "comparator": "EQUALS", "fieldValue": {"value": "CCC", "type": "STRING"}}]"#,
                    ["CCC"]
                ),
                (
                    #""filterBy": [{"fieldName": "code", "comparator": "BEGINS_WITH", "fieldValue": {"value": "D"}}]"#,
                    ["DDD"]
                ),
                (#""sortBy": [{"fieldName": "runways", "ascending": false}]"#, ["EEE", "DDD", "CCC", "BBB", "AAA"]),
                (#""sortBy": {"fieldName": "code"}"#, ["AAA", "BBB", "CCC", "DDD", "EEE"]),
            ] as [(String, [String])] {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Airport", \#(query)}}"#)
                let isSorted = query.contains("sortBy\": [") || query.contains("sortBy\": {")
                #expect(isSorted ? answer.recordNames == names : answer.recordNames.sorted() == names, "\(query)")
                #expect(answer.json.keys == ["records"], "\(query)")
            }
        }
    }

    @Test("A user without a zone finds no records by name, in one zone and in all")
    func noZone() async throws {
        try await TestServer.run { server in
            _ = try await Self.airports(server)
            let new = try await server.signIn("new@example.com")
            for query in [
                #""filterBy": [{"fieldName": "___recordID", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "AAA"}}}]"#,
                #""filterBy": [{"systemFieldName": "recordName", "comparator": "IN", "fieldValue": {"value": [{"recordName": "AAA"}], "type": "REFERENCE_LIST"}}]"#,
                #""sortBy": [{"systemFieldName": "recordName", "ascending": true}]"#,
                #""sortBy": [{"systemFieldName": "recordName", "ascending": false}]"#,
            ] {
                for (database, isWide) in [("private", false), ("private", true), ("shared", true)] {
                    let answer = try await new.post(
                        "\(database)/records/query",
                        #"{"query": {"recordType": "Airport", \#(query)}, "zoneWide": \#(isWide)}"#)
                    #expect(answer.status == 200 && answer.recordNames == [], "\(database), \(isWide): \(answer.text)")
                }
            }
        }
    }

    @Test("A query searches the zones that it names")
    func zones() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            for (options, count) in [
                ("", 5), (#", "zoneWide": false"#, 5), (#", "zoneWide": null, "zoneID": null"#, 5),
                (#", "zoneWide": true"#, 6),
                (#", "zoneWide": true, "zoneID": {"zoneName": "Z"}"#, 1),
                (#", "zoneWide": false, "zoneID": {"zoneName": "Z"}"#, 1),
                (#", "zoneID": {"zoneName": "_defaultZone"}"#, 5), (#", "zoneWide": true, "zoneID": null"#, 6),
            ] as [(String, Int)] {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Airport"}\#(options)}"#)
                #expect(answer.recordNames.count == count, "\(options)")
                #expect(answer.column("records", "zoneID.zoneName").allSatisfy { $0 != nil })
            }
        }
    }

    @Test("zoneWide searches the public database and finds nothing in an empty shared one")
    func zoneWide() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1")
            let body = #"{"query": {"recordType": "Note"}, "zoneWide": true}"#
            #expect(try await server.app().post("public/records/query", body).recordNames == ["n1"])
            #expect(try await mei.post("shared/records/query", body)["records"] == .array([]))
        }
    }

    @Test("resultsLimit bounds a page")
    func pageSizes() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            for (limit, count) in [
                ("0", 5), ("-1", 5), ("2", 2), ("2.0", 2), ("\"2\"", 2), ("1000", 5), ("9223372036854775807", 5),
                ("1e300", 5),
                ("-1e300", 5), ("null", 5), ("18446744073709551615", 5),
            ] as [(String, Int)] {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Airport"}, "resultsLimit": \#(limit)}"#)
                #expect(answer.status == 200, "\(limit)")
                #expect(answer.recordNames.count == count, "\(limit)")
                #expect((answer["continuationMarker"] != nil) == (count < 5), "\(limit)")
            }
        }
    }

    @Test("Follow-up pages may have other options than the first") func followUpPages() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            let query = #""query": {"recordType": "Airport", "sortBy": [{"fieldName": "runways"}]}, "resultsLimit": 2"#
            var names: [String] = []
            var answer = try await mei.post("private/records/query", "{\(query)}")
            for _ in 0..<3 {
                names += answer.recordNames
                guard let marker = answer["continuationMarker"]?.string else { break }
                let body =
                    #"{\#(query), "continuationMarker": "\#(marker)", "numbersAsStrings": false, "zoneWide": false}"#
                let next = try await mei.post("private/records/query", body)
                #expect(next["continuationMarker"]?.string != marker)
                answer = next
            }
            #expect(names == ["AAA", "BBB", "CCC", "DDD", "EEE"])
        }
    }

    @Test("A resultsLimit over 200 counts as 200") func pageLimit() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.modify((0..<200).map { Operation.write("create", "n\($0)") })
            try await mei.save("one more")
            let answer = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "Note"}, "resultsLimit": 400}"#)
            #expect(answer.recordNames.count == 200)
            #expect(answer["continuationMarker"] != nil)
        }
    }

    @Test("A query that breaks a rule is refused with its reason")
    func refusals() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            for body in [
                "{}", #"{"query": {}}"#, #"{"query": "Airport"}"#, #"{"query": {"recordType": 5}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": 5}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [5]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "code", "comparator": "BETWEEN", "fieldValue": {"value": 1}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "code", "comparator": "EQUALS"}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"comparator": "EQUALS", "fieldValue": {"value": 1}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "nothing", "comparator": "EQUALS", "fieldValue": {"value": 1}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "runways", "comparator": "EQUALS", "fieldValue": {"value": "x"}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "runways", "comparator": "BEGINS_WITH", "fieldValue": {"value": "x"}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "code", "comparator": "IN", "fieldValue": {"value": "x"}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "code", "comparator": "IN", "fieldValue": {"value": []}}]}}"#,
                #"{"query": {"recordType": "Airport", "filterBy": [{"fieldName": "code", "comparator": "EQUALS", "fieldValue": {"value": null}}]}}"#,
                #"{"query": {"recordType": "Airport", "sortBy": [{"fieldName": "tags"}]}}"#,
                #"{"query": {"recordType": "Airport", "sortBy": [{"systemFieldName": "nothing"}]}}"#,
                #"{"query": {"recordType": "Airport", "sortBy": [{"fieldName": "code", "ascending": "yes"}]}}"#,
                #"{"query": {"recordType": "Airport"}, "resultsLimit": "many"}"#,
                #"{"query": {"recordType": "Airport"}, "resultsLimit": 1.5}"#,
                #"{"query": {"recordType": "Airport"}, "continuationMarker": "AAAA"}"#,
                #"{"query": {"recordType": "Airport"}, "continuationMarker": 5}"#,
            ] {
                let answer = try await mei.post("private/records/query", body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.code == "BAD_REQUEST", "\(body)")
            }
        }
    }

    @Test("An unknown record type or zone is not found") func unknown() async throws {
        try await TestServer.run { server in
            let mei = try await Self.airports(server)
            let type = try await mei.post("private/records/query", #"{"query": {"recordType": "Nothing"}}"#)
            #expect(type.status == 404)
            #expect(type.code == "NOT_FOUND")
            #expect(type.reason == "Did not find record type: Nothing")
            let zone = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "Airport"}, "zoneID": {"zoneName": "gone"}}"#)
            #expect(zone.status == 404)
            #expect(zone.code == "ZONE_NOT_FOUND")
        }
    }
}
