@testable import CloudConsole
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Many records at once: chosen in a table, as CSV and as JSON lines.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleManyRecordsTests {
    private static let place = "container=iCloud.com.example.test&environment=development"
    private static let fields = ["container": "iCloud.com.example.test", "environment": "development", "type": "Note"]

    private func chosen(_ page: Answer) -> [String] {
        page.text.matches(of: #/name="pick" value="([^"]*)"/#).map { App.unescaped(String($0.output.1)) }
    }

    private func fields(_ answer: Answer) -> [String: String] {
        let members = answer["records.0.fields"]?.object?.members ?? []
        return members.reduce(into: [:]) { $0[$1.key] = WireText.json($1.value) }
    }

    @Test("Setting a field changes all chosen records, except those changed meanwhile, which are reported")
    func change() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for name in ["n1", "n2", "n3"] { try await mei.save(in: "public", name, fields: #""stars": {"value": 1}"#) }
            let visitor = WebVisitor(server)
            let picks = chosen(try await visitor.open("/console/data?\(Self.place)&type=Note"))
            #expect(picks.count == 3)
            try await mei.save(in: "public", "n2", fields: #""stars": {"value": 7}"#)
            let answer = try await visitor.submit(
                "/console/records", Self.fields.merging(["set": "stars", "to": "5", "do": "set"]) { $1 },
                picked: picks)
            #expect(answer.status == 409 && answer.text.contains("2 of 3 are done"), "\(answer.text)")
            #expect(answer.text.contains("CONFLICT"))
            let records = try await mei.lookup(in: "public", "n1", "n2", "n3")
            #expect(records.column("records", "fields.stars.value") == [5, 7, 5])
        }
    }

    @Test("The deletion page lists cascaded and kept records, and deletes after confirmation")
    func deletion() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let reference = #""of": {"value": {"recordName": "n1", "action": "DELETE_SELF"}}"#
            try await mei.save(in: "public", "p1", type: "Page", fields: reference)
            try await mei.save(
                in: "public", "w1", type: "Word", fields: reference.replacing("n1", with: "p1"))
            let visitor = WebVisitor(server)
            let picks = chosen(try await visitor.open("/console/data?\(Self.place)&type=Note"))
            let page = try await visitor.submit("/console/deletion", Self.fields, picked: picks)
            #expect(page.status == 200 && page.text.contains(">Delete 1 record<"), "\(page.text)")
            #expect(page.text.contains("p1, w1"))
            #expect(try await mei.lookup(in: "public", "n1")["records.0.recordName"] == "n1")
            #expect(try await visitor.submit("/console/records", [:]).status == 303)
            let gone = try await mei.lookup(in: "public", "n1", "p1", "w1")
            #expect(gone.column("records", "serverErrorCode") == ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
        }
    }

    @Test("Forms with no choice, too many choices or a wrong value change nothing")
    func refusals() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""stars": {"value": 1}"#)
            for (count, action, field, value, reason) in [
                (0, "set", "stars", "5", "no record was chosen"), (201, "set", "stars", "5", "at most 200"),
                (1, "set", "stars", "many", "must be a number"), (1, "set", "nothing", "5", "has no field"),
            ] as [(Int, String, String, String, String)] {
                let visitor = WebVisitor(server)
                let picks = chosen(try await visitor.open("/console/data?\(Self.place)&type=Note"))
                let answer = try await visitor.submit(
                    "/console/records", Self.fields.merging(["set": field, "to": value, "do": action]) { $1 },
                    picked: Array(repeating: picks[0], count: count))
                #expect(answer.status == 400 && answer.text.lowercased().contains(reason), "\(answer.text)")
                #expect(try await mei.lookup(in: "public", "n1")["records.0.fields.stars.value"] == 1)
            }
        }
    }

    @Test("An export can be imported into another zone with the same fields", arguments: ["csv", "jsonl"])
    func roundTrip(form: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for zone in ["from", "to"] { try await mei.makeZone(zone) }
            let titles = ["=1+1", "a \\\"quoted\\\", one", "'=x", "'tis", "two\\nlines", " space", "-", ""]
            for (index, title) in titles.enumerated() {
                try await mei.save(
                    zone: "from", "n\(index)",
                    fields: #"""
                        "title": {"value": "\#(title)", "type": "STRING"}, "at": {"value": {"latitude": 1.5, "longitude": 2}},
                        "tags": {"value": ["a", "b,c"], "type": "STRING_LIST"}, "n": {"value": \#(index), "type": "INT64"},
                        "when": {"value": 1000, "type": "TIMESTAMP"},
                        "to": {"value": {"recordName": "n0", "action": "NONE"}, "type": "REFERENCE"}
                        """#)
            }
            let there = "\(Self.place)&user=\(mei.user)&zone=from&type=Note"
            let file = try await server.send(.get, "/console/export?\(there)&form=\(form)")
            #expect(file.status == 200 && file.headers[.contentDisposition]?.contains("Note.\(form)") == true)
            if form == "csv" { #expect(file.text.contains("'=1+1") && !file.text.contains(",=1+1")) }
            // Tags are of the records that were exported; new ones have none.
            let rows =
                form == "csv"
                ? file.text.replacing(#/(?m)^(recordName|n\d),[^,]*,/#) { "\($0.output.1),," }
                    .replacing("recordName,,", with: "recordName,recordChangeTag,")
                : file.text.replacing(#/"recordChangeTag":"[^"]*",?/#, with: "")
            let visitor = WebVisitor(server)
            let address = "/console/import?\(Self.place)&user=\(mei.user)&zone=to&type=Note"
            _ = try await visitor.open(address)
            let done = try await visitor.submit("/console/import", ["type": "Note", "rows": rows])
            #expect(done.status == 303, "\(done.text)")
            for index in titles.indices {
                let (old, new) = (
                    try await mei.lookup(zone: "from", "n\(index)"), try await mei.lookup(zone: "to", "n\(index)")
                )
                #expect(fields(old).count == 6 && fields(old) == fields(new), "\(new.text)")
            }
        }
    }

    @Test("An unreadable import is shown again with the line at fault")
    func unreadable() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n0", fields: #""stars": {"value": 1}"#)
            let visitor = WebVisitor(server)
            for (rows, reason) in [
                ("{\"recordName\": 1", "line 1 is no JSON object"), ("a,b\n1", "row 2 has 1 cells"),
                ("a,a\n1,2", "once"),
                ("recordName,title\nn1,\"open", "a quote is not closed"),
                ("recordName,stars\nn1,many", "stars must be a number"),
            ] {
                _ = try await visitor.open("/console/import?\(Self.place)&type=Note")
                let answer = try await visitor.submit("/console/import", ["type": "Note", "rows": rows])
                #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
                #expect(App.unescaped(answer.text).contains(rows), "\(reason)")
            }
        }
    }

    @Test("An export has all records across pages, or only those of its query")
    func export() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for start in stride(from: 0, to: 450, by: 150) {
                _ = try await mei.modify(
                    in: "public",
                    (start..<start + 150).map {
                        Operation.write("create", "n\($0)", fields: #""rank": {"value": \#($0), "type": "INT64"}"#)
                    })
            }
            let all = try await server.send(.get, "/console/export?\(Self.place)&type=Note&form=jsonl").text
            #expect(all.split(separator: "\n").count == 450)
            let some = try await server.send(
                .get, "/console/export?\(Self.place)&type=Note&field=rank&is=LESS_THAN&value=3&sort=rank&form=csv"
            ).text.split(separator: "\r\n")
            #expect(some.count == 4 && some[0] == "recordName,recordChangeTag,rank", "\(some)")
            #expect(try await server.send(.get, "/console/export?\(Self.place)&type=Note&form=exe").status == 400)
        }
    }

    @Test("A record's page shows its feed position, its readers and its cascade")
    func surroundings() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("lists")
            try await mei.save(zone: "lists", "l", type: "List", fields: #""title": {"value": "x"}"#)
            try await mei.share("l", in: "lists", permission: "READ_ONLY")
            try await mei.save(
                zone: "lists", "child", type: "Entry",
                fields: #""of": {"value": {"recordName": "l", "action": "DELETE_SELF"}}"#)
            let address = "/console/record?\(Self.place)&user=\(mei.user)&zone=lists&name="
            let list = try await server.send(.get, address + "l").text
            for text in [
                "changed since", "One record goes along", "share of l", "Whoever has the link", "Open as a visitor",
            ] {
                #expect(list.contains(text), "\(text): \(list)")
            }
            let child = try await server.send(.get, address + "child").text
            #expect(child.contains("the last change of its zone") && !child.contains("goes along, since"))
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "x"}"#)
            let open = try await server.send(.get, "/console/record?\(Self.place)&name=n1").text
            #expect(open.contains("Everybody") && !open.contains("In the feed"))
        }
    }
}
