@testable import CloudHTTP
@testable import CloudWire
import CloudServer
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// The Requests view of the console: the list, the slowest queries, and the page of one request.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleRequestTests {
    private static let byStars =
        #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "stars", "comparator": "EQUALS", "#
        + #""fieldValue": {"value": 2}}]}}"#

    @Test(
        "Every refusal's page begins with a verdict and a remedy whose buttons lead to a page",
        arguments: Provocation.all)
    func verdict(_ provocation: Provocation) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let page = try await server.page(of: try await provocation.provoke(mei))
            let why = try #require(page.text.firstMatch(of: #/<div class="verdict (?:warn)?"><p dir="auto">([^<]+)</#))
            #expect(why.output.1.hasSuffix(".") && why.output.1.count > 12, "\(why.output.1)")
            #expect(page.text.contains(#"<p class="fix" dir="auto">"#))
            #expect(page.text.contains("Stopped here"))
            for button in page.text.matches(of: #/<a class="button mini" href="([^"]+)"/#) {
                let address = App.unescaped(String(button.output.1))
                #expect(try await server.send(.get, address).status == 200, "\(address)")
            }
        }
    }

    @Test("A conflict links to the record in its zone, in every database", arguments: ["public", "private"])
    func conflict(database: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let zone = database == "public" ? nil : "it's"
            if let zone { try await mei.makeZone(zone) }
            let tag = try await mei.save(in: database, zone: zone, "n1", fields: #""title": {"value": "a"}"#)
            try await mei.save(in: database, zone: zone, "n1", fields: #""title": {"value": "b"}"#)
            let update = Operation.write("update", "n1", tag: tag, fields: #""title": {"value": "c"}"#)
            let page = try await server.page(of: try await mei.modify(in: database, zone: zone, [update]))
            #expect(page.text.contains("and the request sent tag \(tag).") && page.text.contains(mei.user))
            let button = try #require(page.text.firstMatch(of: #/href="(\/console\/record[^"]+)">Open the record/#))
            let record = try await server.send(.get, App.unescaped(String(button.output.1)))
            #expect(record.status == 200 && record.text.contains("Change tag"))
        }
    }

    @Test("A conflict of a member leads to the record in the owner's zone")
    func sharedConflict() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let omar = try await server.signIn("omar@example.com")
            try await mei.makeZone("trip")
            try await mei.save(zone: "trip", "n1")
            let invitation = Sharing.entry(email: "omar@example.com")
            try await omar.accept(try await mei.share("n1", in: "trip", participants: [invitation]))
            let answer = try await omar.shared("trip", of: mei.user).modify(Operation.write("update", "n1", tag: "a"))
            #expect(answer["records.0.serverErrorCode"] == "CONFLICT", "\(answer.text)")
            let page = try await server.page(of: answer)
            let button = try #require(page.text.firstMatch(of: #/href="(\/console\/record[^"]+)">Open the record/#))
            #expect(button.output.1.contains("user=\(mei.user)&amp;zone=trip"))
            #expect(try await server.send(.get, App.unescaped(String(button.output.1))).status == 200)
        }
    }

    @Test("The page of a query that production would refuse says so and links to the schema")
    func production() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1")
            let query = #"{"query": {"recordType": "Note", "sortBy": [{"systemFieldName": "createdTimestamp"}]}}"#
            let page = try await server.page(of: try await mei.post("public/records/query", query))
            #expect(page.text.contains("Production would refuse it") && page.text.contains("Review and deploy"))
        }
    }

    @Test("The verdict's trial form is filled in with user, operation and database")
    func trial() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1")
            let omar = try await server.signIn("omar@example.com")
            let refused = try await omar.modify(in: "public", [Operation.write("forceUpdate", "n1")])
            let page = try await server.page(of: refused)
            let button = try #require(page.text.firstMatch(of: #/href="(\/console\/act-as[^"]+)">Try it as this user/#))
            let trial = try await server.send(.get, App.unescaped(String(button.output.1))).text
            #expect(trial.contains(#"value="\#(omar.user)""#))
            #expect(trial.contains(#"<option value="records/modify" selected>"#))
            #expect(trial.contains(#"<option value="public" selected>"#))
            let person = try #require(page.text.firstMatch(of: #/href="([^"]+)">Find the person/#))
            let people = try await server.send(.get, App.unescaped(String(person.output.1))).text
            #expect(people.contains("omar@example.com") && !people.contains("mei@example.com"))
        }
    }

    @Test("Replaying a request with its curl command and body gets the same answer", arguments: ["public", "private"])
    func replay(database: String) async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: database, "it's \\\"one\\\"")
            let body = #"{"records": [{"recordName": "it's \"one\""}]}"#
            let answer = try await mei.post("\(database)/records/lookup", body)
            let page = try await server.page(of: answer)
            #expect(page.text.contains("What was sent") && !page.text.contains("$BODY"))
            let shown = try #require(page.text.firstMatch(of: #/aria-label="Request as a curl command">([^<]*)</#))
            let origin = "http://127.0.0.1:\(server.client.port ?? 0)"
            let command = App.unescaped(String(shown.output.1)).replacing(
                #/http:\/\/[^\/]+/#, with: origin, maxReplacements: 1)
            let again = try await ConsoleQueryTests.run(
                command,
                ["API_TOKEN": DevelopmentToken.text, "WEB_AUTH_TOKEN": App.encoded(try #require(mei.token))])
            #expect(again.recordNames == [#"it's "one""#], "\(command): \(again.text)")
        }
    }

    @Test("Request bodies are kept in development only, up to a size")
    func bodies() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            let app = try await ines.server.production("mei@example.com")
            let answer = try await app.post("private/records/lookup", #"{"records": [{"recordName": "sown"}]}"#)
            let uuid = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            let id = try #require(answer.headers[uuid])
            let page = try await ines.visitor.open("/console/request?uuid=\(id)").text
            #expect(page.contains("$BODY") && !page.contains("What was sent") && !page.contains("sown"), "\(page)")
        }
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let most = String(repeating: " ", count: 65_536 - 2) + "{}"
            for (body, isKept) in [(most, true), (" " + most, false)] {
                let page = try await server.page(of: try await mei.post("private/records/lookup", body)).text
                #expect(page.contains("What was sent") == isKept)
            }
        }
    }

    @Test("App and management requests get a curl command, and a page request gets none")
    func commands() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let list = try await server.page(of: try await mei.get("private/zones/list")).text
            #expect(list.contains("&amp;ckWebAuthToken=") && !list.contains("--data-raw"))
            let manager = try await server.managementToken()
            let managed = try await server.manage(
                .post, "containers", token: manager, body: #"{"name": "iCloud.com.example.test"}"#)
            let page = try await server.page(of: managed).text
            #expect(page.contains("Authorization: Bearer") && page.contains("$MANAGEMENT_TOKEN"))
            #expect(page.contains("$BODY") && page.contains("the body, which is not kept"))
            let share = try await server.page(of: try await server.send(.get, "/share/nothing")).text
            #expect(share.contains("does not tell its whole address") && !share.contains("curl "))
        }
    }

    @Test(
        "No page shows a secret from an address or header, and a body appears on its own page only",
        arguments: [true, false])
    func secrets(isKnown: Bool) async throws {
        try await TestServer.run { server in
            var mei = try await server.signIn("mei@example.com")
            let token = try #require(mei.token)
            try await mei.save("known")
            if !isKnown { (mei.apiToken, mei.token) = ("planted-api-token", "planted-session") }
            let value = "sown'\\\"<value>"
            let cookie = "cumulus=planted-cookie"
            let bodies = [
                ("records/modify", Operation.write("create", "known", fields: #""title": {"value": "\#(value)"}"#)),
                ("records/modify", Operation.write("sown", "sown", type: "sown")),
                ("records/lookup", #""sown""#), ("records/query", #""sown": {"recordType": "sown"}"#),
            ]
            var answers = [try await mei.get("private/zones/list")]
            for (route, body) in bodies {
                answers.append(
                    try await mei.post(
                        "private/\(route)", #"{"operations": [\#(body)], "sown": "sown"}"#, query: "x=planted",
                        headers: [
                            .authorization: "Bearer planted", .cookie: cookie,
                            HTTPField.Name(token: "User-Agent"): "planted",
                        ]))
            }
            for path in ["/console/requests", "/console/requests?refused=true", "/console/queries"] {
                let page = try await server.send(.get, path)
                #expect(page.status == 200, "\(page.text)")
                #expect(!page.text.contains("planted") && !page.text.contains("sown"), "\(page.text)")
            }
            for answer in answers {
                let page = try await server.page(of: answer).text
                #expect(page.contains("$API_TOKEN") && !page.contains("planted"), "\(page)")
                #expect(!page.contains(token) && !page.contains(App.encoded(token)))
                #expect(!page.contains(DevelopmentToken.text))
            }
        }
    }
}

/// The list of requests with its kinds and search, and the slowest queries.
extension ConsoleRequestTests {
    @Test("Each kind of request has an address of its own, and the search is kept")
    func kinds() async throws {
        try await TestServer.run(configure: { $0.requests.slow = .seconds(3600) }) { server in
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.lookup("none")
            try await mei.save("n1")
            let search = "matching=\(mei.user)%20private%2Frecords%2Flookup"
            let all = try await server.send(.get, "/console/requests?\(search)").text
            #expect(all.contains("POST private/records/lookup") && !all.contains("POST private/records/modify"))
            for kind in ["/console/requests?\(search)", "/console/queries?\(search)"] {
                #expect(all.contains("href=\"\(kind)"), "\(kind): \(all)")
            }
            #expect(all.contains("\(search)&amp;refused=true") && all.contains("\(search)&amp;slow=true"))
            #expect(all.contains(#"aria-label="Without user \#(mei.user)""#))
            let refused = try await server.send(.get, "/console/requests?refused=true&matching=NOT_FOUND").text
            #expect(refused.contains("private/records/lookup") && refused.contains(#"name="refused" value="true""#))
            let slow = try await server.send(.get, "/console/requests?slow=true").text
            #expect(slow.contains("No request that is remembered fits.") && slow.contains("Longer than"))
        }
    }

    @Test("The slowest queries are listed by type and index, with a link to the slowest request")
    func slowest() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for number in 1...3 {
                try await mei.save(in: "public", "n\(number)", fields: #""stars": {"value": \#(number)}"#)
            }
            for _ in 0..<3 { _ = try await mei.post("public/records/query", Self.byStars) }
            _ = try await mei.post("public/records/query", #"{"query": {"recordType": "Note"}}"#)
            let page = try await server.send(.get, "/console/queries").text
            let rows = page.matches(of: #/<tr tabindex="0">(.*?)<\/tr>/#).map { String($0.output.1) }
            #expect(rows.count >= 2, "\(page)")
            let stars = try #require(rows.first { $0.contains(">stars<") })
            #expect(stars.contains("public/records/query") && stars.contains("Note"), "\(stars)")
            #expect(rows.contains { $0.contains("no index") })
            let link = try #require(stars.firstMatch(of: #/href="([^"]+)"/#)).output.1
            #expect(try await server.send(.get, String(link)).text.contains("led by stars"))
            let other = try await server.send(.get, "/console/queries?matching=private%2Frecords%2Fquery").text
            #expect(other.contains("No query that is remembered fits."))
        }
    }

    @Test("A self-refreshing page adds no request records and does not prolong its operator's session")
    func live() async throws {
        let clock = TestClock()
        try await ConsoleOperator.run(clock: clock) { ines in
            try await ines.enrol()
            let cookie = "cumulus_console=\(try #require(ines.visitor.cookie("cumulus_console")))"
            let live = try #require(HTTPField.Name("X-Cumulus-Live"))
            for _ in 0..<6 {
                clock.advance(.seconds(4 * 60))
                let headers: HTTPFields = [.cookie: cookie, live: "1"]
                #expect(try await ines.server.send(.get, "/console/requests", headers: headers).status == 200)
            }
            let token = try await ines.server.managementToken()
            let records = try await ines.server.requests("?limit=1000", Operator(server: ines.server, token: token))
            #expect(!records.column("requests", "route").contains("/console/requests"), "\(records.text)")
            clock.advance(.seconds(7 * 60))
            #expect(try await ines.visitor.open("/console/requests").status == 303)
        }
    }
}

extension TestServer {
    /// The console's page of the request that was answered.
    fileprivate func page(of answer: Answer) async throws -> Answer {
        let name = try #require(HTTPField.Name("X-Apple-Request-UUID"))
        let page = try await send(.get, "/console/request?uuid=\(try #require(answer.headers[name]))")
        #expect(page.status == 200)
        return page
    }
}
