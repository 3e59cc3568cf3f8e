import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// Effects of a container's switches, and of production (reference A §5.6, §9.4, §11.1).
struct SchemaSwitchesTests {
    private static let unknownType = Operation.write("create", "n1", type: "Unheard", fields: #""a": {"value": 1}"#)
    private static let unknownField = Operation.write("forceReplace", "n1", fields: #""unheard": {"value": 1}"#)

    @Test("Development's schema grows by saves until just-in-time schema is off") func growth() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n0")
            _ = try await server.accounts.containers.update(
                name: mei.container, justInTimeSchema: false, strictIndexes: nil, discoverableUsers: nil)
            let answer = try await mei.modify([Self.unknownField])
            #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(answer["records.0.reason"] == "Field unheard not found in Note")
            let type = try await mei.modify([Self.unknownType])
            #expect(type["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(type["records.0.reason"] == "Did not find record type: Unheard")
            #expect(try await mei.modify([Operation.write("create", "n2")])["records.0.recordType"] == "Note")
            _ = try await server.accounts.containers.update(
                name: mei.container, justInTimeSchema: true, strictIndexes: nil, discoverableUsers: nil)
            #expect(try await mei.modify([Self.unknownField])["records.0.recordType"] == "Note")
        }
    }

    @Test("Saves cannot add types or fields in production") func production() async throws {
        try await TestServer.run(dev: false) { server in
            let mei = try await server.production("mei@example.com")
            let type = try await mei.modify([Self.unknownType])
            #expect(type["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(type["records.0.reason"] == "Cannot create new type Unheard in production schema")
            _ = try await mei.get("public/users/caller")
            let field = try await mei.modify(
                in: "public",
                [Operation.write("forceUpdate", mei.user, type: "Users", fields: #""unheard": {"value": 1}"#)])
            #expect(field["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(
                field["records.0.reason"]
                    == "Cannot create or modify field 'unheard' in record 'Users' in production schema")
        }
    }

    @Test("Strict indexes refuse unmarked queries with CloudKit's words") func strictIndexes() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""title": {"value": "x"}"#)
            let all = #"{"query": {"recordType": "Note"}}"#
            let sorted = """
                {"query": {"recordType": "Note", "sortBy": [{"systemFieldName": "createdTimestamp"}],
                    "filterBy": [{"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": "x"}}]}}
                """
            for body in [all, sorted] {
                #expect(try await mei.post("private/records/query", body).recordNames == ["n1"])
            }
            _ = try await server.accounts.containers.update(
                name: mei.container, justInTimeSchema: nil, strictIndexes: true, discoverableUsers: nil)
            let refused = try await mei.post("private/records/query", all)
            #expect(refused.status == 400)
            #expect(
                refused.reason.hasPrefix("Field 'recordName' is not marked queryable; add QUERYABLE to ___recordID"))
            #expect(
                try await mei.post("private/records/query", sorted).reason
                    .hasPrefix("Field '___createTime' is not marked sortable; add SORTABLE to ___createTime"))
        }
    }

    /// A query needs marked fields where the schema is declared by hand.
    @Test(
        "Without just-in-time schema, unmarked queries are refused too",
        arguments: [(true, true), (false, false), (false, true)])
    func impliedStrictness(grows: Bool, strict: Bool) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(
                "n1", fields: #""title": {"value": "x"}, "at": {"value": {"latitude": 1, "longitude": 2}}"#)
            _ = try await server.accounts.containers.update(
                name: mei.container, justInTimeSchema: grows, strictIndexes: strict, discoverableUsers: nil)
            let words = #""filterBy": {"comparator": "CONTAINS_ANY_TOKENS", "fieldValue": {"value": "X"}}"#
            let near = #"""
                "filterBy": {"fieldName": "at", "comparator": "NEAR", "distance": 5,
                    "fieldValue": {"value": {"latitude": 1, "longitude": 2}}},
                "sortBy": {"fieldName": "at", "relativeLocation": {"latitude": 1, "longitude": 2}}
                """#
            for query in [words, near] {
                let body = #"{"query": {"recordType": "Note", \#(query)}}"#
                #expect(try await mei.post("private/records/query", body).recordNames == ["n1"])
            }
            let refused = try await mei.post("private/records/query", #"{"query": {"recordType": "Note"}}"#)
            #expect(
                refused.reason
                    == "Field 'recordName' is not marked queryable; add QUERYABLE to ___recordID of 'Note' in the schema, or send a filter"
            )
            let byParent =
                #""filterBy": {"systemFieldName": "parent", "comparator": "EQUALS", "fieldValue": {"value": "x"}}"#
            let parent = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "Note", \#(byParent)}}"#)
            #expect(parent.status == 400)
            #expect(parent.reason.hasPrefix("Field '___parent' is not marked queryable; the schema cannot mark it"))
        }
    }
}
