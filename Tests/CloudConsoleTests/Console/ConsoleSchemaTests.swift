import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

/// The schema in the console: its text, its indexes and their use, roles, and the way to production.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleSchemaTests {
    private static let container = "iCloud.com.example.test"
    private static let place = "container=\(container)&environment=development"
    private static let types =
        "RECORD TYPE Note ( title STRING QUERYABLE, stars INT64 SORTABLE, GRANT READ TO \"_world\" );"

    private static func query(_ field: String, _ comparator: String, _ value: String) -> String {
        #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "\#(field)", "comparator": "\#(comparator)", "#
            + #""fieldValue": {"value": \#(value)}}]}}"#
    }

    /// A server for everybody with an owner at its console, an app in production, and the types in both environments.
    private static func run(
        _ body: @Sendable (_ ines: ConsoleOperator, _ program: Operator, _ app: App) async throws -> Void
    ) async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            let program = try await ines.server.makeOperator()
            #expect(try await program.importing(types).status == 200)
            #expect(try await program.send(.post, "schema/deploy", in: "production").status == 200)
            try await body(ines, program, try await ines.server.production("mei@example.com"))
        }
    }

    @Test("A query that production refuses for a missing index leads to the index, then to its deployment")
    func gap() async throws {
        try await Self.run { ines, program, app in
            for _ in 0..<3 {
                let refused = try await app.post("public/records/query", Self.query("stars", "EQUALS", "3"))
                #expect(refused.code == "BAD_REQUEST")
            }
            let page = try await ines.visitor.open("/console/schema?\(Self.place)").text
            #expect(
                page.contains(
                    "3 queries in 7 days were refused: <code dir=\"auto\">Note.stars</code> is not marked queryable"),
                "\(page)")
            let added = try await ines.visitor.submit("/console/schema", [:])
            #expect(added.status == 303, "\(added.text)")
            #expect(try await program.send(.get, "schema").text.contains("INT64 QUERYABLE SORTABLE"))
            let next = try await ines.visitor.open("/console/schema?\(Self.place)").text
            #expect(next.contains("Review and deploy") && !next.contains("Add to development"), "\(next)")
            _ = try await ines.visitor.open("/console/schema/deploy?\(Self.place)")
            #expect(try await ines.visitor.submit("/console/schema/deploy", ["agreed": "yes"]).status == 303)
            #expect(try await !ines.visitor.open("/console/schema?\(Self.place)").text.contains("were refused"))
            #expect(try await app.post("public/records/query", Self.query("stars", "EQUALS", "3")).status == 200)
        }
    }

    @Test("A listing that production would refuse asks for an index of the record's name")
    func listing() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            #expect(try await mei.post("public/records/query", #"{"query": {"recordType": "Note"}}"#).status == 200)
            let visitor = WebVisitor(server)
            let page = try await visitor.open("/console/schema?\(Self.place)").text
            #expect(page.contains("Production would refuse this.") && page.contains("Note.recordName"), "\(page)")
            #expect(try await visitor.submit("/console/schema", [:]).status == 303)
            let schema = try await visitor.open("/console/schema/text?\(Self.place)").text
            #expect(schema.contains("&quot;___recordID&quot;   REFERENCE QUERYABLE"), "\(schema)")
        }
    }

    @Test("Each index shows how many queries of apps used it, without those of the console")
    func usage() async throws {
        try await Self.run { ines, _, app in
            for _ in 0..<2 {
                let answer = try await app.post("public/records/query", Self.query("title", "EQUALS", #""x""#))
                #expect(answer.status == 200)
            }
            _ = try await ines.visitor.open(
                "/console/data?container=\(Self.container)&environment=production&type=Note&field=title&is=EQUALS&value=x"
            )
            let page = try await ines.visitor.open(
                "/console/schema?container=\(Self.container)&environment=production"
            ).text
            let cells = page.matches(of: #/data-label="([^"]*)">.*?dir="auto">([^<]*)</#).map {
                "\($0.output.1): \($0.output.2)"
            }
            let title = try #require(cells.firstIndex(of: "Field: title"))
            #expect(
                cells[title...].prefix(4) == [
                    "Field: title", "Type: STRING", "Indexes: queryable", "Queries in 7 days: queryable 2",
                ])
            let stars = try #require(cells.firstIndex(of: "Field: stars"))
            #expect(cells[stars...].prefix(4).last == "Queries in 7 days: unused")
        }
    }

    @Test("An index mark that is impossible or names a missing field is refused with the reason")
    func wrongMark() async throws {
        try await TestServer.run { server in
            try await server.makeOperator().importing(Self.types)
            let visitor = WebVisitor(server)
            for (fields, reason) in [
                (["type": "Note", "field": "stars", "mark": "SEARCHABLE"], "cannot be marked searchable"),
                (["type": "Note", "field": "none", "mark": "QUERYABLE"], "has no field &#39;none&#39;"),
                (["type": "<b>", "field": "none", "mark": "QUERYABLE"], "There is no record type"),
                (["type": "Note", "field": "stars", "mark": "FAST"], "must be QUERYABLE, SORTABLE or SEARCHABLE"),
                (["type": "Note", "mark": "SORTABLE"], "Field is missing"),
                (["do": "drop"], "names no action"),
            ] as [([String: String], String)] {
                _ = try await visitor.open("/console/schema/text?\(Self.place)")
                let answer = try await visitor.submit("/console/schema", ["do": "mark"].merging(fields) { $1 })
                #expect([400, 404].contains(answer.status) && answer.text.contains(reason), "\(answer.text)")
                #expect(!answer.text.contains("<b>'"), "\(reason)")
            }
        }
    }

    @Test("Schema text that does not parse is shown again with the line and word at fault")
    func wrongText() async throws {
        try await TestServer.run { server in
            try await server.makeOperator().importing(Self.types)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/schema/text?\(Self.place)")
            let text = "DEFINE SCHEMA\r\nRECORD TYPE Note (\r\n    title STRING QUERYBLE,\r\n    motto <i>STRING\r\n);"
            for action in ["check", "apply"] {
                let answer = try await visitor.submit("/console/schema/text", ["text": text, "do": action])
                #expect(answer.status == 400)
                #expect(answer.text.contains("<h2>Line 3, column 18</h2>"), "\(answer.text)")
                #expect(answer.text.contains("<code>    title STRING <u>QUERYBLE</u>,</code>"), "\(answer.text)")
                #expect(answer.text.contains("    motto &lt;i&gt;STRING\n"))
                #expect(answer.text.contains("data-at=\"3:18\""))
            }
        }
    }

    @Test("Checking schema text shows the changes without making them; applying it makes them")
    func goodText() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.types)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/schema/text?\(Self.place)")
            let same = try await visitor.submit(
                "/console/schema/text", ["text": "DEFINE SCHEMA " + Self.types, "do": "check"])
            #expect(
                same.status == 200 && same.text.contains("Nothing: the schema is as this text says."), "\(same.text)")
            let text =
                "DEFINE SCHEMA RECORD TYPE Note (title STRING, stars INT64 SORTABLE, when TIMESTAMP, GRANT READ TO \"_world\");"
            let checked = try await visitor.submit("/console/schema/text", ["text": text, "do": "check"])
            #expect(checked.text.contains("+ Note.when TIMESTAMP") && checked.text.contains("- Note.title QUERYABLE"))
            #expect(try await !program.send(.get, "schema").text.contains("TIMESTAMP QUERYABLE"))
            let applied = try await visitor.submit("/console/schema/text", ["text": text, "do": "apply"])
            #expect(applied.status == 303, "\(applied.text)")
            #expect(try await program.send(.get, "schema").text.contains("when"))
            let history = try await visitor.open("/console/schema/history?\(Self.place)").text
            #expect(history.contains("2 changes: ") && history.contains("+ Note.when TIMESTAMP"), "\(history)")
        }
    }

    @Test("Text based on an older schema changes nothing, and shows the difference to the newer schema")
    func staleText() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.types)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/schema/text?\(Self.place)")
            try await program.importing("RECORD TYPE Note ( title STRING QUERYABLE, stars INT64, later STRING );")
            let text = "DEFINE SCHEMA RECORD TYPE Note (title STRING, stars INT64);"
            let refused = try await visitor.submit(
                "/console/schema/text", ["text": text, "do": "apply", "agreed": "yes"])
            #expect(refused.status == 400 && refused.text.contains("Nothing was changed"), "\(refused.text)")
            #expect(refused.text.contains("- Note.later"))
            #expect(try await program.send(.get, "schema").text.contains("later"))
            let again = try await visitor.submit(
                "/console/schema/text", ["text": text, "do": "apply", "agreed": "yes"])
            #expect(again.status == 303, "\(again.text)")
            #expect(try await !program.send(.get, "schema").text.contains("later"))
        }
    }

    @Test("A text that loses values asks for consent")
    func loss() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}, "stars": {"value": 3}"#)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/schema/text?\(Self.place)")
            let text = "DEFINE SCHEMA RECORD TYPE Note (title STRING);"
            let asked = try await visitor.submit("/console/schema/text", ["text": text, "do": "apply"])
            #expect(asked.status == 400 && asked.text.contains("Records may lose these values"), "\(asked.text)")
            #expect(try await mei.get("public/records/lookup").status != 500)
            let agreed = try await visitor.submit(
                "/console/schema/text", ["text": text, "do": "apply", "agreed": "yes"])
            #expect(agreed.status == 303, "\(agreed.text)")
        }
    }

    @Test("Production's schema text is read-only")
    func productionText() async throws {
        try await Self.run { ines, _, _ in
            let place = "container=\(Self.container)&environment=production"
            let page = try await ines.visitor.open("/console/schema/text?\(place)").text
            #expect(!page.contains("<textarea") && page.contains("Production takes its schema from development"))
            let answer = try await ines.visitor.submit(
                "/console/schema/text",
                ["container": Self.container, "environment": "production", "text": "DEFINE SCHEMA", "do": "apply"])
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    @Test("A custom role is granted to a user and revoked")
    func roles() async throws {
        try await TestServer.run { server in
            try await server.makeOperator().importing("CREATE ROLE editors; " + Self.types)
            _ = try await server.accounts.users.create(email: "omar@example.com")
            let visitor = WebVisitor(server)
            let before = try await visitor.open("/console/schema?\(Self.place)").text
            #expect(before.contains("Nobody has a custom role."))
            let nobody = try await visitor.submit(
                "/console/schema", ["do": "grant", "role": "editors", "user": "none@example.com"])
            #expect(nobody.status == 400 && nobody.text.contains("There is no user"), "\(nobody.text)")
            let given = try await visitor.submit(
                "/console/schema", ["do": "grant", "role": "editors", "user": "omar@example.com"])
            #expect(given.status == 303, "\(given.text)")
            #expect(try await visitor.open("/console/schema?\(Self.place)").text.contains(">Revoke</button>"))
            #expect(try await visitor.submit("/console/schema", ["do": "revoke"]).status == 303)
            #expect(try await visitor.open("/console/schema?\(Self.place)").text.contains("Nobody has a custom role."))
        }
    }

    @Test("The grants of each type are shown as a table of roles and permissions")
    func grants() async throws {
        try await TestServer.run { server in
            try await server.makeOperator().importing(
                "RECORD TYPE Note ( title STRING, GRANT READ TO \"_world\", GRANT READ, WRITE TO \"_creator\" );")
            let page = try await WebVisitor(server).open("/console/schema?\(Self.place)").text
            let cells = page.matches(of: #/data-label="(Role|Read|Create|Write)"><span class="[^"]*"[^>]*>([^<]*)</#)
                .map { "\($0.output.2)" }
            #expect(cells.joined(separator: " ").contains("_creator yes no yes _world yes no no"), "\(cells)")
        }
    }

    @Test("A deployment in the console asks for consent before it changes production") func deployment() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            #expect(try await program.importing("RECORD TYPE Note ( title STRING QUERYABLE );").status == 200)
            let visitor = WebVisitor(server)
            #expect(try await visitor.open("/console/schema/deploy?\(Self.place)").text.contains("to production"))
            #expect(try await visitor.submit("/console/schema/deploy", [:]).status == 400)
            let before = try await program.send(.get, "schema", in: "production").text
            #expect(!before.contains("Note"))
            #expect(try await visitor.submit("/console/schema/deploy", ["agreed": "yes"]).status == 303)
            #expect(try await program.send(.get, "schema", in: "production").text.contains("Note"))
        }
    }
}
