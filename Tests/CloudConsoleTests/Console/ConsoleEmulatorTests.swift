import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The emulator's page of the console.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleEmulatorTests {
    private static let path = "/console/emulator"
    private static let place = "container=iCloud.com.example.test&environment=development"

    private func visit(_ server: TestServer) async throws -> WebVisitor {
        let visitor = WebVisitor(server)
        #expect(try await visitor.open("\(Self.path)?\(Self.place)").status == 200)
        return visitor
    }

    private func send(_ visitor: WebVisitor, _ fields: [String: String]) async throws -> Answer {
        let place = ["container": "iCloud.com.example.test", "environment": "development"]
        return try await visitor.submit(Self.path, place.merging(fields) { $1 })
    }

    @Test("The console's clock advances, freezes and runs again")
    func clock() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: clock.now) { server in
            _ = try await server.signIn("mei@example.com")
            let visitor = try await visit(server)
            let start = clock.now().milliseconds
            #expect(try await send(visitor, ["do": "advance", "advance": "86400"]).status == 303)
            let later = try await server.send(.get, "/emulator/1/clock")
            #expect(later["now"]?.integer == start + 86_400_000)
            #expect(try await send(visitor, ["do": "freeze"]).status == 303)
            #expect(try await visitor.open("\(Self.path)?\(Self.place)").text.contains(">frozen<"))
            #expect(try await send(visitor, ["do": "run"]).status == 303)
            let back = try await send(visitor, ["do": "set", "set": "1970-01-02"])
            #expect(back.status == 400 && back.text.contains(#"role="alert""#))
            let wrong = try await send(visitor, ["do": "set", "set": "tomorrow"])
            #expect(wrong.status == 400 && wrong.text.contains("must be a time"), "\(wrong.text)")
        }
    }

    @Test("An added fault takes effect, is listed with its count and can be removed")
    func faults() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let visitor = try await visit(server)
            let added = try await send(
                visitor,
                [
                    "do": "fault", "route": "records/query", "error": "THROTTLED", "retryAfter": "7", "count": "1",
                    "user": "mei@example.com",
                ])
            #expect(added.status == 303, "\(added.text)")
            try await mei.save("n1")
            let query = #"{"query": {"recordType": "Note"}}"#
            let refused = try await mei.post("private/records/query", query)
            #expect(refused.code == "THROTTLED" && refused["retryAfter"] == 7)
            #expect(try await mei.post("private/records/query", query).status == 200)
            let page = try await visitor.open("\(Self.path)?\(Self.place)").text
            #expect(
                page.contains("error THROTTLED, retryAfter 7, count 1") || page.contains("error THROTTLED"), "\(page)")
            let empty = try await send(visitor, ["do": "fault"])
            #expect(empty.status == 400 && empty.text.contains("A fault needs"), "\(empty.text)")
            #expect(try await send(visitor, ["do": "no faults"]).status == 303)
            #expect(try await visitor.open("\(Self.path)?\(Self.place)").text.contains("Nothing goes wrong on purpose"))
        }
    }

    @Test("The console takes and restores a snapshot, resets the container and refuses a broken seed")
    func snapshots() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            let visitor = try await visit(server)
            #expect(try await send(visitor, ["do": "take", "name": "one"]).status == 303)
            try await mei.save("n2")
            #expect(try await send(visitor, ["do": "restore", "name": "one", "syncTokens": "kept"]).status == 303)
            let back = try await mei.lookup("n1", "n2")
            #expect(back.column("records", "serverErrorCode") == [nil, "NOT_FOUND"])
            #expect(try await send(visitor, ["do": "drop", "name": "one"]).status == 303)
            #expect(try await send(visitor, ["do": "reset", "keepSchema": "yes"]).status == 303)
            #expect(try await mei.lookup("n1").column("records", "serverErrorCode") == ["NOT_FOUND"])
            let bad = try await send(visitor, ["do": "seed", "lines": "{\"no\": 1}"])
            #expect(bad.status == 400, "\(bad.text)")
            #expect(try await send(visitor, ["do": "nothing"]).status == 400)
        }
    }

    @Test("The console watches clients, and findings link to their requests")
    func lint() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let visitor = try await visit(server)
            #expect(try await send(visitor, ["do": "watch"]).status == 303)
            try await mei.makeZone("notes")
            for number in 0..<3 { try await mei.save(zone: "notes", "n\(number)") }
            for _ in 0..<3 { _ = try await mei.changes("notes") }
            let page = try await visitor.open("\(Self.path)?\(Self.place)").text
            #expect(page.contains("keep the sync token") && page.contains("/console/request?uuid="), "\(page)")
            #expect(try await send(visitor, ["do": "stop"]).status == 303)
        }
    }

    @Test("A production server has no emulator page, not even for an operator")
    func production() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            #expect(try await ines.visitor.open(Self.path).status == 404)
            #expect(try await ines.visitor.open("/console").text.contains(Self.path) == false)
            _ = try await ines.visitor.open("/console/people")
            #expect(try await ines.visitor.submit(Self.path, ["do": "reset"]).status == 404)
        }
    }
}
