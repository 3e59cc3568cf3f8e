@testable import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The record of a request, found by the uuid that its errors carry.
@Suite(.timeLimit(.minutes(20)))
struct RequestTrailTests {
    @Test("A conflict's record has the sent and stored tags, the author and the differing fields")
    func conflict() async throws {
        try await TestServer.run { server in
            let omar = try await server.signIn("omar@example.com")
            let tag = try await omar.save(in: "public", "17", fields: #""title": {"value": "a"}"#)
            try await omar.save(in: "public", "17", fields: #""title": {"value": "b"}"#)
            let answer = try await omar.modify(
                in: "public", [Operation.write("update", "17", tag: tag, fields: #""title": {"value": "secret"}"#)])
            let record = try await server.record(of: answer)
            #expect(record["operations.0.serverErrorCode"] == "CONFLICT")
            #expect(record["operations.0.recordName"] == "17" && record["operations.0.recordType"] == "Note")
            let cause = try #require(record["operations.0.cause.text"]?.string)
            #expect(cause.contains("tag \(tag), is ") && cause.contains("by \(omar.user)"))
            #expect(cause.hasSuffix("differs in title"))
            let line = try #require(record["line"]?.string)
            #expect(line.hasPrefix("POST public/records/modify 200 ") && line.contains("1 CONFLICT Note/17 ("))
            #expect(!record.text.contains("secret"))
        }
    }

    @Test("A permission refusal's trail has credentials, place and the missing grant")
    func permission() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "hers")
            let omar = try await server.signIn("omar@example.com")
            let record = try await server.record(
                of: try await omar.modify(in: "public", [Operation.write("forceUpdate", "hers")]))
            #expect(record.column("trail", "step").prefix(2) == ["credentials", "place"])
            #expect(record["operations.0.cause.step"] == "permission")
            let cause = try #require(record["operations.0.cause.text"]?.string)
            #expect(cause == "WRITE on 'Note' is granted to _creator; the caller is _icloud")
            #expect(record["user"]?.string == omar.user)
        }
    }

    @Test("An atomic batch's record names the operation that failed it")
    func atomic() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("notes")
            try await mei.save(zone: "notes", "there")
            let answer = try await mei.modify(
                zone: "notes",
                [Operation.write("create", "new"), Operation.write("create", "there"), Operation.write("create", "n2")])
            let record = try await server.record(of: answer)
            #expect(record.column("operations", "serverErrorCode") == ["ATOMIC_ERROR", "CONFLICT", "ATOMIC_ERROR"])
            #expect(record["operations.0.cause.text"] == "operation 1 of the atomic batch failed")
            #expect(record["line"]?.string?.hasSuffix("2 ATOMIC_ERROR") == true)
        }
    }

    @Test("A query's record names the leading index and counts rows read and returned")
    func query() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for number in 1...3 { try await mei.save("n\(number)", fields: #""stars": {"value": \#(number)}"#) }
            let query =
                #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "stars", "comparator": "#
                + #""EQUALS", "fieldValue": {"value": 2}}]}}"#
            _ = try await mei.post("private/records/query", query)
            let record = try await server.record(of: try await mei.post("private/records/query", query))
            #expect(record["trail.2.text"] == "led by stars")
            #expect(record["cost.rowsAnswered"] == 1 && record["cost.statements"]?.integer ?? 0 > 0)
            #expect(record["cost.storeMicroseconds"]?.integer ?? 0 > 0)
        }
    }

    @Test("A token for one container sees that container's requests only")
    func walls() async throws {
        try await TestServer.run { server in
            let mine = try await server.makeOperator("mine")
            let other = try await server.makeOperator("other")
            let refused = try await server.app("mine").get("private/zones/list")
            let uuid = try #require(refused["uuid"]?.string)
            #expect(try await server.requests("/\(uuid)", mine).status == 200)
            #expect(try await server.requests("/\(uuid)", other).status == 404)
            #expect(try await server.requests("?container=mine", other).status == 403)
            #expect(try await server.requests("", mine).column("requests", "uuid").contains(.string(uuid)))
            #expect(try await server.requests("", other).column("requests", "uuid").isEmpty)
            var stranger = mine
            stranger.token = "cm_guess"
            #expect(try await server.requests("", stranger).status == 401)
        }
    }

    @Test("Lists continue where they ended, and filter by user, route, code and time")
    func filters() async throws {
        try await TestServer.run { server in
            let all = try await server.makeOperator()
            let mei = try await server.signIn("mei@example.com")
            let start = try #require(try await server.requests("", all)["next"]?.integer)
            _ = try await mei.lookup("not-there")
            _ = try await mei.get("private/zones/list")
            #expect(
                try await server.requests("?after=\(start)", all).column("requests", "route")
                    == ["records/lookup", "zones/list"])
            let first = try await server.requests("?after=\(start)&limit=1", all)
            #expect(
                try await server.requests("?after=\(first["next"]?.integer ?? 0)", all).column("requests", "route")
                    == ["zones/list"])
            let found = try await server.requests("?after=\(start)&code=not_found", all)
            #expect(found.column("requests", "route") == ["records/lookup"])
            #expect(
                try await server.requests("?after=\(start)&user=\(mei.user)", all).column("requests", "route").count
                    == 2)
            #expect(
                try await server.requests("?after=\(start)&slower=86400000", all).column("requests", "route").isEmpty)
            for route in ["zones/list", "private/zones/list"] {
                let found = try await server.requests("?after=\(start)&route=\(route)", all)
                #expect(found.column("requests", "route") == ["zones/list"])
            }
            for bad in ["?limit=0", "?limit=1001", "?after=x", "?code=HARD", "?slower=-1", "?refused=maybe"] {
                let answer = try await server.requests(bad, all)
                #expect(answer.status == 400 && answer.reason.contains(bad.dropFirst().prefix { $0 != "=" }))
            }
        }
    }

    @Test("A refused answer links its record in development only, and records need a token")
    func link() async throws {
        let name = try #require(HTTPField.Name("X-Cumulus-Request"))
        try await TestServer.run { server in
            let refused = try await server.app().get("private/zones/list")
            let address = try #require(refused.headers[name])
            #expect(address.hasSuffix("/admin/1/requests/\(refused["uuid"]?.string ?? "")"))
            let path = try #require(address.firstRange(of: "/admin").map { String(address[$0.lowerBound...]) })
            #expect(try await server.send(.get, path).status == 200)
            #expect(try await server.send(.get, "/health").headers[name] == nil)
        }
        try await TestServer.run(dev: false) { server in
            let refused = try await server.app().get("private/zones/list")
            #expect(refused.status == 401 && refused.headers[name] == nil)
            #expect(try await server.send(.get, "/admin/1/requests/\(refused["uuid"]?.string ?? "")").status == 401)
        }
    }

    @Test("A log reader gets a bounded page of its own container, whatever it asks for")
    func greedyReader() async throws {
        try await TestServer.run(dev: false) { server in
            let (c, d) = (try await server.makeOperator("c"), try await server.makeOperator("d"))
            for name in ["c", "d"] {
                for _ in 0..<120 {
                    _ = try await server.app(name, environment: "production").get("public/zones/list")
                }
            }
            #expect(try await server.requests("?container=c", c).column("requests", "uuid").count == 100)
            let all = try await server.requests("?limit=1000&after=0", c)
            let containers = all.column("requests", "container")
            #expect(containers.count >= 120 && containers.allSatisfy { $0 == "c" }, "\(all.text.prefix(500))")
            let uuid = try #require(try await server.requests("?limit=1", d)["requests.0.uuid"]?.string)
            #expect(try await server.requests("/\(uuid)", d).status == 200)
            #expect(try await server.requests("/\(uuid)", c).status == 404)
            #expect(try await server.requests("?container=d", c).status == 403)
            for query in [
                "limit=1001", "limit=0", "limit=-1", "limit=99999999999999999999", "limit=all", "after=-1", "after=x",
            ] {
                #expect(try await server.requests("?\(query)", c).status == 400, "\(query)")
            }
            #expect(try await server.requests("?after=\(Int64.max)", c).column("requests", "uuid").isEmpty)
        }
    }

    @Test("A valid traceparent is kept, and an invalid one is dropped")
    func traceParent() async throws {
        let name = try #require(HTTPField.Name("traceparent"))
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        try await TestServer.run { server in
            for (sent, kept) in [(trace, JSONValue.string(trace)), ("hunter2", nil), (trace + "-more", nil)] {
                let answer = try await server.send(
                    .get, server.app().target("private/zones/list"), headers: [name: sent])
                #expect(try await server.record(of: answer)["traceparent"] == kept)
            }
        }
    }
}
