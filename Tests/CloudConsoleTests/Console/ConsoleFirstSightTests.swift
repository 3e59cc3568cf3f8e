@testable import CloudHTTP
@testable import CloudWire
@testable import CloudConsole
import CloudAccounts
import CloudServer
import TestCloud
import CloudModel
import CloudOperations
import NIOCore
import Testing

/// What somebody sees who opens the console for the first time.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleFirstSightTests {
    private static let place = "container=iCloud.com.example.test&environment=development"

    @Test("The query builder is folded until there is a query, and shows what is wrong with a query")
    func folded() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""stars": {"value": 1}"#)
            let visitor = WebVisitor(server)
            let path = "/console/data?\(Self.place)&type=Note"
            #expect(try await visitor.open(path).text.contains(#"<details class="panel more fold"><summary>"#))
            for query in ["&sort=stars", "&field=stars&is=EQUALS&value=x"] {
                #expect(
                    try await visitor.open(path + query).text.contains(
                        #"<details class="panel more fold" open><summary>"#))
            }
        }
    }

    @Test("Unknown addresses and missing subjects are reported inside the console's frame", arguments: [true, false])
    func frame(isSignedIn: Bool) async throws {
        try await ConsoleOperator.run { ines in
            if isSignedIn { try await ines.enrol() }
            let missing = [
                "/console/nothing", "/console/data/nothing/at/all", "/console/record?name=none&\(Self.place)",
                "/console/request?uuid=none", "/console/person?email=nobody@example.com", "/console/api?type=None",
                "/console/data?container=iCloud.none", "/console/schema/type?type=None",
            ]
            for path in missing {
                let answer = try await ines.visitor.open(path)
                #expect(answer.status == (isSignedIn ? 404 : 303), "\(path): \(answer.text)")
                guard isSignedIn else { continue }
                #expect(
                    answer.text.contains("<nav class=\"side\"") && answer.text.contains("<main id=\"main\""), "\(path)")
                #expect(answer.headers[.policy.contentSecurity]?.contains("default-src 'none'") == true)
            }
            guard isSignedIn else { return }
            // A form too, whatever stands in it.
            for fields in [["name": "x"], [:]] {
                let sent = try await ines.visitor.submit("/console/nothing", fields)
                #expect(sent.status == 404 && sent.text.contains("<nav class=\"side\""), "\(sent.text)")
            }
            let foreign = try await ines.visitor.server.send(.post, "/console/nothing")
            #expect(foreign.status == 401, "\(foreign.text)")
            let wrong = try await ines.visitor.open("/console/data?environment=none")
            #expect(wrong.status == 400 && wrong.text.contains("<nav class=\"side\""))
        }
    }

    @Test("An empty server offers its first container, then its first type, then its first record")
    func emptyServer() async throws {
        try await TestServer.run { server in
            let visitor = WebVisitor(server)
            let empty = try await visitor.open("/console/data")
            #expect(empty.status == 200 && empty.text.contains("There is no container yet."), "\(empty.text)")
            let bad = try await visitor.submit("/console/container", ["name": "a b"])
            #expect(bad.status == 400 && bad.text.contains("id=\"problem\"") && bad.text.contains("value=\"a b\""))
            let made = try await visitor.submit("/console/container", ["name": "iCloud.com.example.first"])
            let next = try #require(made.headers[.location])
            #expect(made.status == 303 && next.hasPrefix("/console/schema/type?"), "\(made.text)")
            #expect(try await visitor.submit("/console/container", ["name": "iCloud.com.example.first"]).status == 400)
            _ = try await visitor.open(next)
            let type = try await visitor.submit(
                "/console/schema/type",
                [
                    "name": "Note", "n.1": "title", "k.1": "STRING", "x.1": "1", "n.2": "", "k.2": "STRING",
                    "n.3": "tags",
                    "k.3": "LIST<STRING>", "do": "make",
                ])
            let data = try #require(type.headers[.location])
            #expect(type.status == 303 && data.hasPrefix("/console/data?"), "\(type.text)")
            let page = try await visitor.open(data).text
            let record = try #require(page.firstMatch(of: #/href="([^"]+)">New record/#)?.output.1)
            #expect(try await visitor.open(App.unescaped(String(record))).text.contains("name=\"f.title\""))
            let saved = try await visitor.submit("/console/record", ["f.title": "one", "do": "save"])
            #expect(saved.status == 303, "\(saved.text)")
            #expect(try await visitor.open(data).text.contains(">one</a>"))
            let text = try await server.send(.get, "/console/schema/text?container=iCloud.com.example.first").text
            #expect(text.contains("title") && text.contains("LIST&lt;STRING&gt;"), "\(text)")
        }
    }

    @Test(
        "An invalid type name is refused beside the input, and no type is created",
        arguments: [
            (["name": "", "n.1": "a", "k.1": "STRING"], "Give the type a name"),
            (["name": "a b", "n.1": "a", "k.1": "STRING"], "must be a letter"),
            (["name": "Note", "n.1": "a", "k.1": "STRING"], "already"),
            (["name": "New", "n.1": "a<b>", "k.1": "STRING"], "must be a letter"),
            (["name": "New", "n.1": "a", "k.1": "STRING", "n.2": "a", "k.2": "INT64"], "already"),
            (["name": "New", "n.1": "a", "k.1": "NOTHING"], "Choose a kind"),
        ])
    func refusedType(fields: [String: String], reason: String) async throws {
        try await TestServer.run { server in
            try await server.signIn("mei@example.com").save(in: "public", "n1")
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/schema/type?\(Self.place)")
            let answer = try await visitor.submit("/console/schema/type", fields.merging(["do": "make"]) { $1 })
            #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
            #expect(!answer.text.contains("<b>\""))
            let more = try await visitor.submit("/console/schema/type", fields.merging(["do": "more"]) { $1 })
            #expect(more.status == 200 && more.text.contains("name=\"n.6\""))
            #expect(try await !server.send(.get, "/console/schema?\(Self.place)").text.contains(">New</h2>"))
        }
    }

    @Test("New fields are added to an existing type in development, even from a production page")
    func newFields() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let visitor = WebVisitor(server)
            let page = try await visitor.open(
                "/console/schema/type?container=iCloud.com.example.test&environment=production&type=Note")
            #expect(page.text.contains("New fields of Note") && page.text.contains("data-environment=\"development\""))
            let added = try await visitor.submit(
                "/console/schema/type", ["n.1": "stars", "k.1": "INT64", "x.1": "1", "do": "make"])
            #expect(added.status == 303, "\(added.text)")
            let schema = try await server.send(.get, "/console/schema?\(Self.place)").text
            #expect(schema.contains(">stars</span>") && schema.contains(">title</span>"))
        }
    }

    @Test("A role that may not create containers or types sees the reason", arguments: [OperatorRole.viewer, .editor])
    func roles(role: OperatorRole) async throws {
        try await ConsoleOperator.run(role: role) { ines in
            try await ines.enrol()
            for path in ["/console/container", "/console/schema/type"] {
                let page = try await ines.visitor.open(path)
                #expect(page.text.contains("id=\"bound\"") && page.text.contains("disabled aria-describedby=\"bound\""))
                let fields = ["name": "iCloud.new", "n.1": "a", "k.1": "STRING", "do": "make"]
                #expect(try await ines.visitor.submit(path, fields).status == 403, "\(path)")
            }
        }
    }

    @Test("A request that created unnamed records shows their generated names")
    func createdNames() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let create = #"{"operationType": "create", "record": {"recordType": "Note", "fields": {}}}"#
            let answer = try await mei.post("private/records/modify", #"{"operations": [\#(create), \#(create)]}"#)
            let names = [0, 1].compactMap { answer["records.\($0).recordName"]?.string }
            let uuid = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            let page = try await server.send(.get, "/console/request?uuid=\(answer.headers[uuid] ?? "")").text
            #expect(names.count == 2 && names.allSatisfy { page.contains($0) }, "\(page)")
        }
    }

    @Test("A record's display name is found in its stored bytes", arguments: ["a", "a\"b\\c", "ü\n", ""])
    func nameInBytes(name: String) {
        let stamp = RecordBody.Stamp(timestamp: .now(), userRecordName: "_u")
        let header = RecordBody.Header(
            recordName: name, recordType: "Note", changeTag: "1", created: stamp, modified: stamp)
        #expect(RecordBody(header, fields: Array("{}".utf8), zone: nil).recordName == name)
    }

    @Test("A refused link shows its container and title to the operator, and neither to the visitor")
    func refusedLinks() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "root", fields: #""title": {"value": "x"}"#)
            let guid = try await mei.share(
                "root", in: "Z", more: #", "fields": {"cloudkit.title": {"value": "A secret <day>"}}"#)
            let answer = try await server.send(.get, "/share/\(guid)")
            #expect(answer.status == 403 && !answer.text.contains("secret") && !answer.text.contains("com.example"))
            let uuid = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            let id = try #require(answer.headers[uuid])
            let page = try await server.send(.get, "/console/request?uuid=\(id)").text
            for text in ["A secret &lt;day&gt;", "iCloud.com.example.test", "development", "/console/shares?"] {
                #expect(page.contains(text), "\(text): \(page)")
            }
            #expect(!page.contains(guid))
            let overview = try await server.send(.get, "/console").text
            #expect(overview.contains("&#39;A secret &lt;day&gt;&#39;, iCloud.com.example.test, development"))
            // What is no share any more tells its container at least, and a link of nowhere nothing.
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/shares?\(Self.place)")
            #expect(try await visitor.submit("/console/shares", ["shortGUID": guid]).status == 303)
            let stopped = try #require(try await server.send(.get, "/share/\(guid)").headers[uuid])
            let later = try await server.send(.get, "/console/request?uuid=\(stopped)").text
            #expect(later.contains("iCloud.com.example.test") && !later.contains("secret"))
            let nowhere = try #require(try await server.send(.get, "/share/nowhere").headers[uuid])
            let last = try await server.send(.get, "/console/request?uuid=\(nowhere)").text
            #expect(!last.contains("<dt>Container</dt>"))
        }
    }

    @Test("Changed settings are listed first, and settings are found by name, value and purpose")
    func settings() async throws {
        let setting = { (name: String, value: String, from: String) in
            SettingInfo(
                name: name, variable: "CUMULUS_\(name.uppercased())", value: value, standard: "8080", from: from,
                purpose: "what \(name) is for")
        }
        let all = [setting("host", "127.0.0.1", "default"), setting("port", "9000", "in the environment")]
        try await TestServer.run(configure: { $0.settings = all }) { server in
            let page = try await server.send(.get, "/console/settings").text
            let (changed, others) = try (
                #require(page.firstRange(of: ">Changed</h2>")), #require(page.firstRange(of: ">Defaults</h2>"))
            )
            let (host, port) = try (#require(page.firstRange(of: ">host<")), #require(page.firstRange(of: ">port<")))
            #expect(changed.lowerBound < port.lowerBound && port.lowerBound < others.lowerBound)
            #expect(others.lowerBound < host.lowerBound)
            for (words, hasHost, hasPort) in [
                ("HOST", true, false), ("9000", false, true), ("is+for", true, true), ("environment", false, true),
                ("cumulus_port", false, true), ("%3Cnone%3E", false, false),
            ] {
                let found = try await server.send(.get, "/console/settings?matching=\(words)").text
                #expect(
                    found.contains(">host<") == hasHost && found.contains(">port<") == hasPort, "\(words): \(found)")
            }
        }
    }

    @Test("A card without content takes one line")
    func emptyCards() async throws {
        try await TestServer.run { server in
            try await server.signIn("mei@example.com").save("n1")
            let page = try await server.send(.get, "/console/push?\(Self.place)").text
            #expect(page.matches(of: #/<section class="panel folded">/#).count == 5)
            #expect(!page.contains("<div class=\"empty\">"))
        }
    }
}

/// Numbers and times as the console tells them.
struct ConsoleWordsTests {
    @Test(
        "Counts have separators",
        arguments: [
            (0, "0"), (12, "12"), (999, "999"), (1000, "1,000"), (-1234, "-1,234"), (1_234_567, "1,234,567"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func counts(number: Int, text: String) { #expect(Count.text(number) == text) }

    @Test(
        "A recent time is shown by its distance and a distant one by its date, with the full time attached",
        arguments: [
            (0, "now"), (4, "now"), (-4, "now"), (5, "5 s ago"), (119, "119 s ago"), (120, "2 min ago"),
            (7199, "119 min ago"),
            (7200, "2 h ago"), (172_799, "47 h ago"), (172_800, "2 days ago"), (-3600, "in 60 min"),
            (31 * 86400, "2026-01-01"), (-40 * 86400, "2026-03-13"),
        ] as [(Int64, String)])
    func times(age: Int64, text: String) {
        let now = Timestamp(milliseconds: 1_769_904_000_000)
        let time = ShownTime(Timestamp(milliseconds: now.milliseconds - age * 1000), now: now)
        #expect(time.text == text)
        #expect(time.full.hasSuffix("Z") && time.full.contains(" ") && time.machine.contains("T"))
    }
}
