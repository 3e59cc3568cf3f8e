@testable import CloudConsole
import CloudAccounts
import CloudEngine
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import CloudOperations
import Foundation
import Testing

/// Where the console begins: the container, the environment, the type and the name of a record.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleFirstPlaceTests {
    private static let names = ["iCloud.a", "iCloud.b", "iCloud.c"]

    /// The container and environment that a page is about.
    private static func place(_ page: Answer) -> String? {
        page.text.firstMatch(of: #/data-container="([^"]*)" data-environment="([^"]*)"/#).map {
            "\($0.output.1) \($0.output.2)"
        }
    }

    @Test("The data page opens the container with the latest write")
    func written() async throws {
        try await TestServer.run { server in
            for name in Self.names { try await server.signIn("mei@example.com", name).save("n") }
            try await server.signIn("mei@example.com", "iCloud.b").save("n")
            // A write that is refused is none.
            let refused = try await server.signIn("mei@example.com", "iCloud.c")
            #expect(try await refused.post("private/records/modify", "{}").status == 400)
            #expect(try await Self.place(WebVisitor(server).open("/console/data")) == "iCloud.b development")
        }
    }

    @Test("The data page opens the last viewed place, by a cookie limited to the console")
    func used() async throws {
        try await TestServer.run { server in
            for name in Self.names { try await server.signIn("mei@example.com", name).save("n") }
            let visitor = WebVisitor(server)
            let there = try await visitor.open("/console/schema?container=iCloud.a&environment=production")
            let cookie = try #require(there.headers[values: .setCookie].first { $0.hasPrefix("cumulus_place=") })
            for part in ["Path=/console", "HttpOnly", "SameSite=Strict", "Max-Age=7776000"] {
                #expect(cookie.contains(part), "\(cookie)")
            }
            #expect(Self.place(try await visitor.open("/console/data")) == "iCloud.a production")
            #expect(Self.place(try await visitor.open("/console")) == "iCloud.a production")
            // Once is enough.
            let again = try await visitor.open("/console/push")
            #expect(again.headers[values: .setCookie].allSatisfy { !$0.hasPrefix("cumulus_place=") })
            #expect(Self.place(try await visitor.open("/console/data?container=iCloud.b")) == "iCloud.b development")
            #expect(Self.place(try await visitor.open("/console/data")) == "iCloud.b development")
        }
    }

    @Test("A cookie that names a missing or malformed place is ignored")
    func foreignCookie() async throws {
        try await TestServer.run { server in
            for name in Self.names { try await server.signIn("mei@example.com", name).save("n") }
            for text in [
                "production/iCloud.gone", "nowhere/iCloud.a", "production", "production/", "/", "production/%",
                String(repeating: "a", count: 9000),
            ] {
                let visitor = WebVisitor(server)
                visitor.setCookie("cumulus_place", text)
                #expect(Self.place(try await visitor.open("/console/data")) == "iCloud.c development", "\(text)")
            }
        }
    }

    @Test("Without a remembered view or write the data page opens the container with the most records")
    func largest() async throws {
        try await TestServer.run(configure: { $0.requests.count = 1 }) { server in
            for (name, count) in zip(Self.names, [1, 5, 2]) {
                let app = try await server.signIn("mei@example.com", name)
                for index in 0..<count { try await app.save("n\(index)") }
            }
            _ = try await server.send(.get, "/health")
            #expect(try await Self.place(WebVisitor(server).open("/console/data")) == "iCloud.b development")
        }
    }

    @Test(
        "A page without a place creates no database, and a broken environment blocks no page",
        .enabled(if: ProcessInfo.processInfo.environment["CUMULUS_TEST_ENGINE"] != "postgres"))
    func unplaced() async throws {
        try await TestServer.run { server in
            let made = try await server.accounts.containers.create(name: "iCloud.a")
            let broken = try await server.accounts.containers.create(name: "iCloud.b")
            let file = { (container: Container) in
                server.folder.recordsFile(container: container.id, environment: .development)
            }
            try FileManager.default.createDirectory(
                at: URL(filePath: file(broken)).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(repeating: 7, count: 8192).write(to: URL(filePath: file(broken)))
            let visitor = WebVisitor(server)
            for path in ["/settings", "/people", "/requests", "/nothing"] {
                let answer = try await visitor.open("/console" + path)
                #expect(answer.status == (path == "/nothing" ? 404 : 200), "\(path): \(answer.text)")
                #expect(answer.text.contains("<nav class=\"side\""), "\(path)")
            }
            #expect(path(of: made, file) == false)
        }
    }

    private func path(of container: Container, _ file: (Container) -> String) -> Bool {
        FileManager.default.fileExists(atPath: file(container))
    }

    @Test("Without --dev the console begins in production")
    func production() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            #expect(Self.place(try await ines.visitor.open("/console/data")) == "iCloud.com.example.test production")
            let named = try await ines.visitor.open("/console/data?container=iCloud.com.example.test")
            #expect(Self.place(named) == "iCloud.com.example.test production")
        }
    }

    @Test("The data page opens the type with the most records, and empty types can be opened too")
    func type() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for (type, count) in [("Article", 1), ("Tag", 3), ("Comment", 2)] {
                for index in 0..<count { try await mei.save(in: "public", "\(type)\(index)", type: type) }
            }
            try await mei.save("only-private", type: "Diary", fields: #""title": {"value": "x"}"#)
            let page = try await WebVisitor(server).open("/console/data").text
            #expect(page.contains("<h1 dir=\"auto\">Tag</h1>"), "\(page)")
            #expect(page.contains("<span dir=\"auto\">Diary</span><span class=\"count\">0</span>"))
            let empty = try await WebVisitor(server).open("/console/data?type=Diary").text
            #expect(empty.contains("This zone has no records of this type.") && empty.contains(">New record</a>"))
        }
    }

    @Test("The first column shows the record's display name, or its record name, and links to the record")
    func naming() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let fields = #""body": {"value": "long"}, "title": {"value": "A day <b>"}"#
            try await mei.save(in: "public", "n1", fields: fields)
            try await mei.save(in: "public", "n2", fields: #""body": {"value": "untitled"}"#)
            let page = try await WebVisitor(server).open("/console/data?type=Note").text
            let heads = page.matches(of: #/<th scope="col"[^>]*>(?:<a [^>]*>)?([A-Za-z ]+)/#).map {
                String($0.output.1)
            }
            #expect(heads == ["title", "Record name", "body", "modified", "Tag"], "\(page)")
            #expect(page.contains(#"name=n1" dir="auto">A day &lt;b&gt;</a>"#))
            #expect(page.contains(#"name=n2" dir="auto">n2</a>"#))
        }
    }

    @Test(
        "A record's display name comes from a text field with a naming word",
        arguments: [
            (["body", "title", "name"], "title"), (["Name", "code"], "Name"), (["albumName", "code"], "albumName"),
            (["code", "body"], nil), ([], nil),
        ] as [([String], String?)])
    func namingField(fields: [String], expected: String?) {
        var type = TypeDefinition()
        for field in fields { type.fields[field] = FieldDeclaration(FieldType(.string)) }
        for (field, kind) in [("title1", FieldType(.int64)), ("label", FieldType(.string, isList: true))] {
            type.fields[field] = FieldDeclaration(kind)
        }
        #expect(RecordNaming(type).field?.name == expected)
        #expect(RecordNaming(nil).field == nil)
    }
}
