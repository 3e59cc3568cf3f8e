@testable import CloudWire
@testable import CloudConsole
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import TestProcess
import Testing

/// The query builder of the Data view.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleQueryTests {
    private static let place = "container=iCloud.com.example.test&environment=development&type=Note"

    struct Condition: Sendable {
        let comparator: CloudModel.Comparator
        let value: String
        let type: FieldType?
        let filter: String

        init(_ comparator: CloudModel.Comparator, _ value: String, _ type: FieldType?, _ filter: String) {
            (self.comparator, self.value, self.type, self.filter) = (comparator, value, type, filter)
        }
    }

    static let examples: [Condition] = [
        Condition(.equals, "a, b", FieldType(.string), #"{"value":"a, b","type":"STRING"}"#),
        Condition(.equals, "3", FieldType(.int64), #"{"value":3,"type":"INT64"}"#),
        Condition(.greaterThan, "2.5", FieldType(.number), #"{"value":2.5}"#),
        Condition(.equals, "3", nil, #"{"value":"3"}"#),
        Condition(.in, "1, 2", FieldType(.int64), #"{"value":[1,2],"type":"INT64_LIST"}"#),
        Condition(.in, #"["a, b", "c"]"#, FieldType(.string), #"{"value":["a, b","c"],"type":"STRING_LIST"}"#),
        Condition(.listContains, "x", FieldType(.string, isList: true), #"{"value":"x","type":"STRING"}"#),
        Condition(.equals, "x,y", FieldType(.string, isList: true), #"{"value":["x","y"],"type":"STRING_LIST"}"#),
        Condition(.equals, "n1", FieldType(.reference), #"{"value":{"recordName":"n1"},"type":"REFERENCE"}"#),
        Condition(.lessThan, "1970-01-02", FieldType(.timestamp), #"{"value":86400000,"type":"TIMESTAMP"}"#),
        Condition(.lessThan, "1970-01-01T00:00:01Z", FieldType(.timestamp), #"{"value":1000,"type":"TIMESTAMP"}"#),
        Condition(.containsAllTokens, "two words", FieldType(.string), #"{"value":"two words","type":"STRING"}"#),
    ]

    @Test("A condition becomes the filter of the wire format", arguments: examples)
    func filter(_ condition: Condition) throws {
        let term = QueryTerm(field: "f", comparator: condition.comparator.rawValue, value: condition.value)
        let filter = try term.filter(condition.type)
        #expect(filter[path: "fieldName"] == "f")
        #expect(filter[path: "comparator"]?.string == condition.comparator.rawValue)
        #expect(WireText.json(filter[path: "fieldValue"] ?? .null) == condition.filter)
    }

    @Test("A location condition has a distance in metres, and sorting by the field measures from there")
    func near() throws {
        let form = QueryForm(
            terms: [QueryTerm(field: "at", comparator: "NEAR", value: "47.5, -122.25 within 1000")], sort: "at")
        let definition = TypeDefinition(fields: ["at": FieldDeclaration(FieldType(.location))])
        let query = try form.json(type: "Note", definition)
        #expect(query[path: "filterBy.0.distance"] == .number(1000))
        #expect(query[path: "filterBy.0.fieldValue.value.longitude"] == .number(-122.25))
        #expect(query[path: "sortBy.0.relativeLocation.value.latitude"] == .number(47.5))
    }

    @Test(
        "A value of another type than its field's is refused by the field's name, and stays in the form",
        arguments: [
            ("stars", "EQUALS", "many"), ("stars", "IN", "1, x"), ("stars", "EQUALS", ""), ("at", "NEAR", "here"),
            ("at", "NEAR", "1, 2 within far"), ("title", "SOUNDS_LIKE", "x"), ("stars", "GREATER_THAN", "nan"),
        ])
    func refused(field: String, comparator: String, value: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(
                in: "public", "n1",
                fields:
                    #""title": {"value": "one"}, "stars": {"value": 3}, "at": {"value": {"latitude": 1, "longitude": 2}}"#
            )
            let page = try await server.send(
                .get, "/console/data?\(Self.place)&field=\(field)&is=\(comparator)&value=\(App.query(value))")
            #expect(page.status == 200 && page.text.contains(#"role="alert""#), "\(page.text)")
            #expect(page.text.lowercased().contains(comparator == "SOUNDS_LIKE" ? "sounds_like" : field))
            #expect(page.text.contains("aria-describedby=\"query-help\""))
        }
    }

    @Test("Conditions find records, persist across pages and sorts, and show how much was read")
    func findings() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for number in 0..<4 {
                try await mei.save(
                    in: "public", "n\(number)",
                    fields: #""title": {"value": "t\#(number)"}, "stars": {"value": \#(number)}"#)
            }
            let query = "\(Self.place)&field=stars&is=GREATER_THAN&value=0&field=title&is=NOT_EQUALS&value=t2"
            let page = try await server.send(.get, "/console/data?\(query)&sort=stars&order=descending")
            let links = page.text.matches(of: #/<a class="row" href="[^"]*&amp;name=(n\d)"/#)
            let names = links.map { String($0.output.1) }
            #expect(names == ["n3", "n1"], "\(page.text)")
            let shown = page.text.firstMatch(of: #/class="plan" role="status">([^<]*)</#)
            let plan = shown.map { String($0.output.1) } ?? ""
            #expect(plan.contains("led by") && plan.contains("2 answered"), "\(plan)")
            #expect(page.text.contains("field=stars&amp;is=GREATER_THAN&amp;value=0&amp;field=title"))
            #expect(page.text.contains(#"aria-sort="descending""#))
            let none = try await server.send(.get, "/console/data?\(Self.place)&field=stars&is=EQUALS&value=9")
            #expect(none.text.contains("No record of this type fits all conditions"))
        }
    }

    @Test("The curl command of a query finds the records of the table", arguments: ["public", "private"])
    func curl(database: String) async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            if database == "private" { try await mei.makeZone("it's") }
            let zone = database == "private" ? "it's" : nil
            for title in ["it's \"one\" $HOME `id`", "two"] {
                try await mei.save(
                    in: database, zone: zone, "n-\(title.count)",
                    fields: #""title": {"value": "\#(title.replacing("\"", with: "\\\""))"}"#)
            }
            let rest = database == "private" ? "&user=\(mei.user)&zone=\(App.query("it's"))" : ""
            let page = try await server.send(
                .get,
                "/console/data?\(Self.place)\(rest)&field=title&is=EQUALS&value=\(App.query("it's \"one\" $HOME `id`"))"
            )
            let shown = try #require(page.text.firstMatch(of: #/aria-label="Query as a curl command">([^<]*)</#))
            let origin = "http://127.0.0.1:\(server.client.port ?? 0)"
            let command = App.unescaped(String(shown.output.1)).replacing(
                #/http:\/\/[^\/]+/#, with: origin, maxReplacements: 1)
            let answer = try await Self.run(
                command,
                ["API_TOKEN": DevelopmentToken.text, "WEB_AUTH_TOKEN": App.encoded(try #require(mei.token))])
            #expect(answer.recordNames == ["n-21"], "\(command): \(answer.text)")
        }
    }

    /// Runs a command in a shell and gives what it printed.
    static func run(_ command: String, _ variables: [String: String]) async throws -> Answer {
        let file = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let environment = variables.merging(["PATH": "/usr/bin:/bin", "OUTPUT": file.path()]) { $1 }
        let shell = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", "(\(command)) 2>/dev/null >\"$OUTPUT\""], environment: environment,
            streams: (0, 1, 2), bound: 300)
        #expect(await shell.end() == 0)
        return Answer(status: 200, headers: [:], text: try String(contentsOf: file, encoding: .utf8))
    }
}
