@testable import CloudHTTP
@testable import CloudPages
@testable import CloudConsole
import CloudAccounts
import TestCloud
import CloudModel
import Foundation
import Testing

/// The console in process: its access and its forms.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleTests {
    static let paths = [
        "", "/data", "/record?name=n1", "/import", "/schema", "/schema/text", "/schema/history", "/schema/type",
        "/container",
        "/api?type=Note", "/schema/deploy",
        "/people", "/person?email=mei@example.com", "/sign-in", "/shares", "/push", "/requests", "/queries", "/act-as",
        "/settings",
        "/settings/credentials", "/settings/operators", "/settings/pages", "/settings/backups", "/settings/audit",
    ].map { "/console" + $0 }
    private static let place = "container=iCloud.com.example.test&environment=development"

    @Test("Every view of a development server's console is a valid page") func views() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let frameOptions = try #require(HTTPField.Name("X-Frame-Options"))
            for path in Self.paths {
                let answer = try await server.send(.get, path)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                #expect(answer.headers[frameOptions] == "DENY")
                #expect(answer.headers[.policy.contentSecurity]?.contains("default-src 'none'") == true)
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("Viewing pages changes nothing, and public data leaves no audit line")
    func looks() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            // These are private wherever they are.
            let looks = OperationWalls.all.values.compactMap(\.look) + ["looked at requests"]
            for (pattern, endpoints) in ConsoleRoutes.table where endpoints[.get] != nil {
                let query = "\(Self.place)&type=Note&name=n1&field=file&email=mei@example.com&uuid=x&matching=a"
                let answer = try await server.send(.get, "\(pattern)?\(query)")
                #expect(answer.status < 500, "\(pattern)")
                let lines = try await server.accounts.audit.entries(limit: 100).map(\.action)
                #expect(Set(lines).subtracting(looks).isEmpty, "\(pattern): \(lines)")
            }
        }
    }

    @Test("The overview shows the last backup, or that there is none")
    func overview() async throws {
        try await TestServer.run { server in
            let page = try await server.send(.get, "/console").text
            #expect(page.contains("<dt>Last backup</dt><dd>none</dd>"), "\(page)")
            #expect(page.contains("<dt>Index builds</dt><dd>0</dd>"))
        }
    }

    @Test("Without --dev and console.enabled the console is closed") func production() async throws {
        try await TestServer.run(dev: false) { server in
            for path in Self.paths {
                let response = try await server.send(.get, path)
                #expect(response.status == 403, "\(path)")
            }
        }
    }

    @Test("The development console refuses other sites, and host names that resolve to this machine")
    func foreignHosts() async throws {
        try await TestServer.run { server in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            #expect(try await server.send(.get, "/console", headers: [site: "cross-site"]).status == 403)
            #expect(try await server.send(.get, "/console", headers: [site: "same-origin"]).status == 200)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/people")
            let foreign = try await visitor.submit(
                "/console/person", ["email": "mei@example.com", "do": "disable"],
                headers: [.origin: "https://evil.example"])
            #expect(foreign.status == 403)
            let bare = try await WebVisitor(server).submit(
                "/console/person", ["email": "mei@example.com", "do": "disable"])
            #expect(bare.status == 403)
        }
    }

    @Test("The console lists a refused request and explains it") func refusedRequest() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let omar = try await server.signIn("omar@example.com")
            let refused = try await omar.post(
                "public/records/modify",
                #"{"operations": [{"operationType": "delete", "record": {"recordName": "n1", "recordChangeTag": "a"}}]}"#
            )
            let uuid = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            let id = try #require(refused.headers[uuid])
            let list = try await server.send(.get, "/console/requests?refused=true").text
            #expect(list.contains("/console/request?uuid=\(id)") && list.contains("ACCESS_DENIED"), "\(list)")
            #expect(!list.contains("GET /console"))
            let none = try await server.send(.get, "/console/requests?matching=CONFLICT").text
            #expect(!none.contains(id))
            let one = try await server.send(.get, "/console/request?uuid=\(id)").text
            for text in [
                "POST public/records/modify", "is granted to _creator", "ACCESS_DENIED", omar.user, "a web auth token",
            ] {
                #expect(one.contains(text), "\(text): \(one)")
            }
            let found = try await server.send(.get, "/console/requests?matching=\(id.uppercased())")
            #expect(found.status == 303 && found.headers[.location] == "/console/request?uuid=\(id)")
            #expect(try await server.send(.get, "/console/request?uuid=none").status == 404)
        }
    }

    @Test("A record's form is saved against the change tag that it was loaded with") func changeTag() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""title": {"value": "one"}, "stars": {"value": 3}"#)
            let visitor = WebVisitor(server)
            let address = "/console/record?\(Self.place)&user=\(mei.user)&name=n1"
            #expect(try await visitor.open(address).text.contains("private data"))
            let saved = try await visitor.submit(
                "/console/record", ["f.title": "two\r\nlines", "f.stars": "3", "do": "save"])
            #expect(saved.status == 303, "\(saved.text)")
            let record = try await mei.lookup("n1")
            #expect(record["records.0.fields.title.value"]?.string == "two\nlines")
            #expect(record["records.0.fields.stars.value"]?.integer == 3)
            let wrong = try await visitor.submit(
                "/console/record", ["f.title": "two\nlines", "f.stars": "many", "do": "save"])
            #expect(wrong.status == 400 && wrong.text.contains("stars must be a number"), "\(wrong.text)")
        }
    }

    @Test("A save in the console that meets a newer version shows both versions")
    func newerVersion() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""title": {"value": "one"}, "stars": {"value": 3}"#)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/record?\(Self.place)&user=\(mei.user)&name=n1")
            try await mei.save("n1", fields: #""title": {"value": "theirs"}, "stars": {"value": 4}"#)
            let conflict = try await visitor.submit(
                "/console/record", ["f.title": "mine", "f.stars": "3", "do": "save"])
            #expect(conflict.status == 409)
            #expect(conflict.text.contains("Nothing was saved") && conflict.text.contains(">theirs<"))
            #expect(try await mei.lookup("n1")["records.0.fields.title.value"]?.string == "theirs")
            #expect(try await visitor.submit("/console/record", ["f.title": "mine"]).status == 303)
            let record = try await mei.lookup("n1")
            #expect(record["records.0.fields.title.value"]?.string == "mine")
            #expect(record["records.0.fields.stars.value"]?.integer == 4)
        }
    }

    @Test("The table of records is paged and sortable") func tablePages() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for start in [0, 100] {
                _ = try await mei.modify(
                    in: "public",
                    (start..<start + 60).map {
                        Operation.write(
                            "create", "n\($0)", fields: #""rank": {"value": \#(1000 - $0), "type": "INT64"}"#)
                    })
            }
            let first = try await server.send(.get, "/console/data?\(Self.place)&type=Note")
            #expect(first.text.contains(">n0<") && !first.text.contains(">n159<"))
            let next = try #require(first.text.firstMatch(of: #/rel="next" href="([^"]+)"/#)?.output.1)
            let second = try await server.send(.get, String(next.replacing("&amp;", with: "&")))
            #expect(second.text.contains(">n159<") && !second.text.contains(">n0<"))
            let sorted = try await server.send(.get, "/console/data?\(Self.place)&type=Note&sort=rank&order=ascending")
            #expect(sorted.text.contains(">n159<") && sorted.text.contains(#"aria-sort="ascending""#), "\(sorted.text)")
        }
    }

    @Test(
        "A hostile schema and hostile names of types are refused or shown as texts",
        arguments: [
            "<script>", "\"><img src=x>", "a b", "'; --", "..", "{{title}}", "",
        ])
    func hostileSchema(name: String) async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let text = try await program.importing("RECORD TYPE \(name) ( title STRING );")
            #expect(text.status == 400, "\(text.text)")
            let quoted = try await program.importing("RECORD TYPE \"\(name)\" ( \"\(name)\" STRING );")
            #expect(quoted.status == 400 || quoted.status == 200 && !name.contains("<"), "\(quoted.text)")
            let page = try await server.send(.get, "/console/schema?\(Self.place)")
            #expect(page.status == 200 && !page.text.contains("<img") && !page.text.contains("<script>"))
            let type = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let data = try await server.send(.get, "/console/data?\(Self.place)&type=\(type)")
            #expect(data.status == 200 && !data.text.contains("<img") && !data.text.contains("<script>"))
        }
    }
}
