import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import TestWire
import Testing

/// `/emulator/1/faults` and the header `X-Cumulus-Fault`.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    private static let path = "/emulator/1/faults"
    private static let create = #"{"operations": [\#(Operation.write("create", "n1"))]}"#

    private func post(_ server: TestServer, _ body: String) async throws -> Answer {
        try await server.send(.post, Self.path, body: ByteBuffer(string: body))
    }

    @Test("The nth request of a route fails, and its trail names the fault")
    func nthRequest() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            let rule = #"{"route": "records/modify", "nth": 2, "error": "THROTTLED", "retryAfter": 7}"#
            #expect(try await post(server, rule)["id"]?.integer == 1)
            try await app.save("one")
            let refused = try await app.modify([Operation.write("create", "two")])
            #expect(refused.code == "THROTTLED" && refused["retryAfter"]?.integer == 7, "\(refused.text)")
            try await app.save("three")
            #expect(try await app.lookup("two")["records.0.serverErrorCode"]?.string == "NOT_FOUND")
            let list = try await server.send(.get, Self.path)
            #expect(list["faults.0.matched"]?.integer == 3 && list["faults.0.decided"]?.integer == 1)
            #expect(try await server.send(.delete, Self.path).text.contains(#""faults":[]"#))
            try await app.save("four")
        }
    }

    @Test("A fault spares other containers, and requests after its count")
    func otherContainers() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            _ = try await post(server, #"{"container": "another", "error": "INTERNAL_ERROR"}"#)
            _ = try await post(server, #"{"count": 1, "error": "NOT_FOUND"}"#)
            #expect(try await app.get("private/zones/list").status == 404)
            #expect(try await app.get("private/zones/list").status == 200)
        }
    }

    @Test("A fault can be limited to a user, by address or name, and to a record type")
    func usersAndTypes() async throws {
        try await TestServer.run { server in
            let (mei, tom) = (try await server.signIn("mei@example.com"), try await server.signIn("tom@example.com"))
            for user in ["mei@example.com", mei.user] {
                _ = try await post(server, #"{"user": "\#(user)", "count": 1, "error": "NOT_FOUND"}"#)
                #expect(try await tom.get("private/zones/list").status == 200)
                #expect(try await mei.get("private/zones/list").status == 404)
                #expect(try await mei.get("private/zones/list").status == 200)
            }
            _ = try await post(server, #"{"recordType": "Letter", "error": "QUOTA_EXCEEDED"}"#)
            try await mei.save("one")
            let letter = try await mei.modify([Operation.write("create", "two", type: "Letter")])
            #expect(letter.code == "QUOTA_EXCEEDED")
            let query = try await mei.post("private/records/query", #"{"query": {"recordType": "Letter"}}"#)
            #expect(query.code == "QUOTA_EXCEEDED")
        }
    }

    @Test("A fault for one operation of a batch leaves the others alone")
    func oneOperation() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            _ = try await post(server, #"{"route": "records/modify", "operation": 1, "error": "CONFLICT", "count": 1}"#)
            let batch = ["one", "two", "three"].map { Operation.write("create", $0) }
            let answer = try await app.modify(batch)
            #expect(answer.status == 200 && answer["records.1.serverErrorCode"]?.string == "CONFLICT", "\(answer.text)")
            #expect(answer["records.0.recordChangeTag"] != nil && answer["records.2.recordChangeTag"] != nil)
            let looked = try await app.lookup("one", "two")
            #expect(looked["records.0.recordName"]?.string == "one")
            #expect(looked["records.1.serverErrorCode"]?.string == "NOT_FOUND")
        }
    }

    @Test("A delayed request does not keep a container from being reset")
    func delayedReset() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.save("one")
            // Longer than a reset waits for requests in the environment.
            _ = try await post(server, #"{"latency": 12000}"#)
            async let slow = app.get("private/zones/list")
            while try await server.send(.get, Self.path)["faults.0.decided"]?.integer != 1 { await Task.yield() }
            let reset = "/emulator/1/containers/\(app.container)/reset"
            let answer = try await server.send(.post, reset, body: ByteBuffer())
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await slow.status == 200)
        }
    }

    @Test("A feed read in pages of one record ends") func smallPages() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.makeZone("notes")
            for name in ["one", "two", "three"] { try await app.save(zone: "notes", name) }
            _ = try await post(server, #"{"pageSize": 1}"#)
            #expect(try await server.send(.get, Self.path)["faults.0.pageSize"]?.integer == 1)
            var (token, pages, names) = (String?.none, 0, Set<String>())
            while true {
                let page = try await app.changes("notes", since: token)
                pages += 1
                names.formUnion(page.column("records", "recordName").compactMap { $0?.string })
                token = page["syncToken"]?.string
                guard page["moreComing"]?.bool == true, pages < 10 else { break }
            }
            #expect(names == ["one", "two", "three"] && (3...4).contains(pages))
            // What is asked for by name is no page.
            let all = try await app.lookup(zone: "notes", "one", "two", "three")
            #expect(
                all.status == 200 && all.column("records", "recordChangeTag").allSatisfy { $0 != nil }, "\(all.text)")
        }
    }

    @Test("The same seed of a random fault hits the same requests again") func sameSeed() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            var rows: [[UInt]] = []
            for seed in [7, 7, 8] {
                _ = try await server.send(.delete, Self.path)
                _ = try await post(server, #"{"probability": 0.5, "seed": \#(seed), "error": "NOT_FOUND"}"#)
                var row: [UInt] = []
                for _ in 0..<30 { row.append(UInt(try await app.get("private/zones/list").status)) }
                rows.append(row)
            }
            #expect(rows[0] == rows[1] && rows[0] != rows[2] && Set(rows[0]) == [200, 404])
        }
    }

    @Test("After a cut connection the record exists once or not at all, as the fault says")
    func hangUp() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for (end, isThere) in [("before", false), ("after", true)] {
                let wire = try Wire(port: port)
                try await wire.send(
                    mei.bytes(
                        "private/records/modify", Self.create,
                        headers: "X-Cumulus-Fault: {\"hangUp\": \"\(end)\"}\r\n"))
                #expect(try await wire.readAll() == "")
                let record = try await mei.lookup("n1")
                #expect((record["records.0.serverErrorCode"] == nil) == isThere, "\(record.text)")
            }
        }
    }

    @Test("A malformed fault is refused by the member at fault")
    func malformed() async throws {
        try await TestServer.run { server in
            for (body, name) in [
                #"{"error": "TIRED"}"#: "error", #"{"hangUp": "soon", "latency": 1}"#: "hangUp", "{}": "needs",
                #"{"latency": 60001}"#: "latency", #"{"latency": 1, "retryAfter": 1}"#: "retryAfter",
                #"{"error": "THROTTLED", "nth": 0}"#: "nth",
                #"{"error": "THROTTLED", "probability": 2}"#: "probability",
                #"{"error": "THROTTLED", "seed": 1}"#: "seed", #"{"error": "THROTTLED", "route": "health"}"#: "route",
                #"{"error": "THROTTLED", "colour": 1}"#: "colour",
                #"{"error": "THROTTLED", "hangUp": "after"}"#: "hangUp",
                #"{"error": "THROTTLED", "user": 1}"#: "user", #"{"latency": 1, "operation": 1}"#: "operation",
                #"{"pageSize": 0}"#: "pageSize", #"{"error": "THROTTLED", "recordType": ""}"#: "recordType",
                #"{"error": "THROTTLED", "container": 1}"#: "container",
                #"{"error": "THROTTLED", "count": 1.5}"#: "count",
            ] {
                let answer = try await post(server, body)
                #expect(answer.status == 400 && answer.text.contains(name), "\(answer.text)")
                #expect(try await server.send(.get, Self.path).text.contains(#""faults":[]"#), "\(body)")
            }
        }
    }

    @Test("At most 100 faults are kept, and the emulator's own routes are exempt")
    func bounds() async throws {
        try await TestServer.run { server in
            let rule = #"{"error": "INTERNAL_ERROR"}"#
            for _ in 0..<100 {
                let added = try await post(server, rule)
                #expect(added.status == 200)
            }
            let refused = try await post(server, rule)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await server.send(.get, "/health").status == 200)
            #expect(try await server.send(.delete, Self.path).status == 200)
        }
    }

    @Test("Without --dev faults have neither a path nor a header") func production() async throws {
        try await TestServer.run(dev: false) { server in
            #expect(try await server.client.execute(uri: Self.path, method: .get).status.code == 404)
            let app = try await server.production("mei@example.com")
            let answer = try await app.post(
                "private/zones/list", "{}", headers: [.init("X-Cumulus-Fault")!: #"{"error": "THROTTLED"}"#])
            #expect(answer.status == 200, "\(answer.text)")
        }
    }
}
