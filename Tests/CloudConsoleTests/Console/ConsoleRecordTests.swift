@testable import CloudConsole
import CloudAccounts
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The editors of a record's page.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleRecordTests {
    private static let place = RecordForm.place

    /// What is typed into a field, and the value that the wire has then.
    struct Entry: Sendable, CustomStringConvertible {
        let field: String
        let typed: [String: String]
        /// Null for none.
        let value: String

        var description: String { "\(field): \(typed)" }

        init(_ field: String, _ text: String, _ value: String, more: [String: String] = [:]) {
            self.field = field
            typed = ["f.\(field)": text].merging(more) { $1 }
            self.value = value
        }
    }

    static let entries: [Entry] = [
        Entry("title", "two\r\nlines", #""two\nlines""#), Entry("title", "", #""""#), Entry("stars", "-9", "-9"),
        Entry("stars", "", "null"), Entry("ratio", "2.5", "2.5"),
        Entry("happened", "1970-01-01T00:00:01Z", "1000"), Entry("happened", "1970-01-02", "86400000"),
        Entry("place", "47.45, -122.31", #"{"latitude":47.45,"longitude":-122.31,"altitude":12.5}"#),
        Entry("place", " ", "null"), Entry("sketch", "aGVs bG8", #""aGVsbG8=""#), Entry("sketch", "", "null"),
        Entry(
            "of", "n2",
            #"{"recordName":"n2","action":"NONE","zoneID":{"zoneName":"Z","ownerRecordName":"OWNER","zoneType":"REGULAR_CUSTOM_ZONE"}}"#
        ),
        Entry(
            "of", "n2",
            #"{"recordName":"n2","action":"DELETE_SELF","zoneID":{"zoneName":"Z","ownerRecordName":"OWNER","zoneType":"REGULAR_CUSTOM_ZONE"}}"#,
            more: ["a.of": "DELETE_SELF"]),
        Entry(
            "of", "n2",
            #"{"recordName":"n2","action":"NONE","zoneID":{"zoneName":"Other","ownerRecordName":"OWNER","zoneType":"REGULAR_CUSTOM_ZONE"}}"#,
            more: ["z.of": "Other"]),
        Entry("of", "", "null"), Entry("tags", "a, b\r\n\r\n c\r\n", #"["a, b"," c"]"#),
        Entry("tags", #"["", "[x", "two\nlines"]"#, #"["","[x","two\nlines"]"#), Entry("tags", "", "[]"),
        Entry("ranks", "3\r\n-1\r\n", "[3,-1]"), Entry("ranks", "[1, 2]", "[1,2]"),
        Entry("times", "1970-01-02\r\n5", "[86400000,5]"),
        Entry("places", #"[{"latitude": 1.5, "longitude": 2.5}]"#, #"[{"latitude":1.5,"longitude":2.5}]"#),
        Entry("blobs", #"["aGk="]"#, #"["aGk="]"#), Entry("refs", "[]", "[]"),
        Entry("title", "one", "null", more: ["n.title": "1"]), Entry("tags", "a\r\nb", "null", more: ["n.tags": "1"]),
    ]

    /// Every field with a value.
    private static let values = #"""
        "title": {"value": "one"}, "stars": {"value": 3}, "ratio": {"value": 0.5},
        "happened": {"value": 5, "type": "TIMESTAMP"},
        "place": {"value": {"latitude": 1.5, "longitude": 2, "altitude": 12.5}},
        "sketch": {"value": "AAEC", "type": "BYTES"}, "of": {"value": {"recordName": "n3", "action": "NONE"}},
        "tags": {"value": ["a", "b"]}, "ranks": {"value": [1]}, "times": {"value": [1], "type": "TIMESTAMP_LIST"},
        "places": {"value": [{"latitude": 1, "longitude": 2}]}, "blobs": {"value": ["AAEC"], "type": "BYTES_LIST"},
        "refs": {"value": [{"recordName": "n3", "action": "NONE"}]},
        "secret": {"value": "hush", "type": "STRING", "isEncrypted": true}
        """#

    /// A user with a record that has a value in every field, and the record's page.
    private func run(
        _ body: @Sendable (TestServer, App, WebVisitor, _ address: String) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let schema = try await server.makeOperator().importing(RecordForm.schema)
            #expect(schema.status == 200, "\(schema.text)")
            let mei = try await server.signIn("mei@example.com")
            for zone in ["Z", "Other"] { try await mei.makeZone(zone) }
            try await mei.save(zone: "Z", "n1", fields: Self.values)
            let address = "/console/record?\(Self.place)&user=\(mei.user)&zone=Z&name=n1"
            try await body(server, mei, WebVisitor(server), address)
        }
    }

    private func value(_ field: String, _ mei: App) async throws -> JSONValue {
        try await mei.lookup(zone: "Z", "n1")["records.0.fields.\(field).value"] ?? .null
    }

    @Test("Each editor saves its input and changes nothing else")
    func editors() async throws {
        try await run { _, mei, visitor, address in
            for entry in Self.entries {
                try await mei.save(zone: "Z", "n1", fields: Self.values)
                let before = try await mei.lookup(zone: "Z", "n1")
                let form = RecordForm(try await visitor.open(address))
                let saved = try await visitor.send(form, entry.typed)
                #expect(saved.status == 303, "\(entry): \(saved.text)")
                let after = try await mei.lookup(zone: "Z", "n1")
                let now = WireText.json(after["records.0.fields.\(entry.field).value"] ?? .null)
                #expect(now == entry.value.replacing("OWNER", with: mei.user), "\(entry)")
                for other in before["records.0.fields"]?.object?.members ?? [] where other.key != entry.field {
                    #expect(after["records.0.fields.\(other.key)"] == other.value, "\(entry) changed \(other.key)")
                }
            }
        }
    }

    @Test("Submitting an unchanged form changes nothing, whatever the values")
    func untouched() async throws {
        try await run { _, mei, visitor, address in
            let values = [
                Self.values,
                #""title": {"value": "\"'<&>\nx"}, "tags": {"value": ["", "[x", "a\r\nb"]}, "place": {"value": {"latitude": -0.000001, "longitude": 180}}"#,
                #""of": {"value": {"recordName": "n3", "action": "NONE", "zoneID": {"zoneName": "Other"}}}, "tags": {"value": []}"#,
                "",
            ]
            for fields in values {
                let tag = try await mei.save(zone: "Z", "n1", fields: fields)
                let form = RecordForm(try await visitor.open(address))
                #expect(try await visitor.send(form, [:]).status == 303)
                #expect(try await mei.tag(of: "n1", zone: "Z") == tag, "\(fields)")
            }
        }
    }

    static let unreadable: [(String, String, String)] = [
        ("stars", "many", "stars must be a whole number"), ("ratio", "nan", "ratio must be a number"),
        ("happened", "soon", "happened must be a time"), ("place", "here", "place must be degrees"),
        ("place", "91, 0", "place must be degrees"), ("place", "1, 2, 3", "place must be degrees"),
        ("sketch", "no base64!", "sketch must be base64; a record has at most 1048576 bytes (limit.recordBytes)"),
        ("tags", "[1", "tags begins with [ and is no JSON array"), ("ranks", "1\r\nx", "ranks, line 2, must be"),
        ("places", "1, 2", "places must be a JSON array"), ("tags", "[1]", "tags"),
        ("of", String(repeating: "x", count: 300), "of"),
        ("blobs", #"["!"]"#, "blobs"), ("places", #"[{"latitude": 1}]"#, "places"), ("refs", "[{}]", "refs"),
    ]

    @Test("An invalid value is refused by the field's name, and all input stays in the form", arguments: unreadable)
    func refusals(field: String, text: String, reason: String) async throws {
        try await run { _, mei, visitor, address in
            let before = try await mei.lookup(zone: "Z", "n1").text
            let form = RecordForm(try await visitor.open(address))
            let typed = ["f.\(field)": text, "f.title": "</textarea><b>\"kept"]
            let refused = try await visitor.send(form, typed)
            #expect(refused.status == 400)
            #expect(App.unescaped(refused.text).contains(reason), "\(refused.text)")
            let again = RecordForm(refused).fields
            for (name, text) in typed {
                #expect(again[name] == text, "\(name)")
            }
            #expect(again["tag"] == form.fields["tag"] && again["o.title"] == form.fields["o.title"])
            #expect(!refused.text.contains("<b>"))
            #expect(try await mei.lookup(zone: "Z", "n1").text == before)
            let fixed = try await visitor.send(RecordForm(refused), ["f.\(field)": form.fields["f.\(field)"] ?? ""])
            #expect(fixed.status == 303, "\(fixed.text)")
        }
    }

    @Test("A field that is changed and removed at a time is refused")
    func removal() async throws {
        try await run { _, mei, visitor, address in
            let form = RecordForm(try await visitor.open(address))
            let refused = try await visitor.send(form, ["f.title": "new", "n.title": "1"])
            #expect(refused.status == 400 && refused.text.contains("title is both changed and removed"))
            #expect(RecordForm(refused).fields["n.title"] == "1" && RecordForm(refused).fields["f.title"] == "new")
            #expect(try await value("title", mei) == "one")
        }
    }

    @Test("Encrypted and undeclared fields are shown but not editable")
    func shown() async throws {
        try await run { _, _, visitor, address in
            let page = try await visitor.open(address)
            #expect(page.text.contains("hush") && RecordForm(page).fields["f.secret"] == nil)
        }
    }

    @Test("A text too long for the form is shown, and other fields can be saved")
    func room() async throws {
        try await run { _, mei, visitor, address in
            let long = String(repeating: "ä", count: 40_000)
            try await mei.save(zone: "Z", "n1", fields: #""title": {"value": "\#(long)"}, "stars": {"value": 1}"#)
            let page = try await visitor.open(address)
            #expect(page.text.contains("Too long for this form") && page.text.contains(long))
            #expect(try await visitor.send(RecordForm(page), ["f.stars": "2"]).status == 303)
            #expect(try await value("stars", mei) == 2)
            #expect(try await value("title", mei).string == long)
        }
    }

    @Test("A new record gets a given name or a UUID, and a refused one keeps its input")
    func creation() async throws {
        try await run { _, mei, visitor, _ in
            let table = try await visitor.open("/console/data?\(Self.place)&user=\(mei.user)&zone=Z&type=Note")
            let link = try #require(table.text.firstMatch(of: #/href="([^"]*)">New record</#)).output.1
            let form = RecordForm(try await visitor.open(App.unescaped(String(link))))
            let made = try await visitor.send(form, ["f.title": "new", "f.of": "n1"])
            #expect(made.status == 303, "\(made.text)")
            let name = try #require(made.headers[.location]?.firstMatch(of: #/name=([^&]*)/#)).output.1
            let record = try await mei.lookup(zone: "Z", String(name))
            #expect(record["records.0.fields.title.value"] == "new")
            #expect(record["records.0.fields"]?.keys == ["title", "of"], "\(record.text)")
            let named = try await visitor.send(form, ["name": "n9", "f.stars": "9"])
            #expect(named.status == 303)
            #expect(try await mei.lookup(zone: "Z", "n9")["records.0.fields.stars.value"] == 9)
            for (name, stars, reason) in [("n9", "8", "exists"), ("n10", "x", "whole number"), ("_bad", "8", "_bad")] {
                let refused = try await visitor.send(form, ["name": name, "f.stars": stars])
                #expect(refused.status == 400 && refused.text.contains(reason), "\(refused.text)")
                #expect(RecordForm(refused).fields["f.stars"] == stars && RecordForm(refused).fields["name"] == name)
            }
            #expect(try await visitor.open("/console/record?\(Self.place)&type=None").status == 404)
        }
    }

    @Test("Saving a record deleted meanwhile keeps the input, and can create the record anew")
    func deletedMeanwhile() async throws {
        try await run { _, mei, visitor, address in
            let form = RecordForm(try await visitor.open(address))
            _ = try await mei.modify(zone: "Z", [Operation.delete("n1")])
            let refused = try await visitor.send(form, ["f.title": "still here"])
            #expect(refused.status == 400 && refused.text.contains("deleted meanwhile"), "\(refused.text)")
            #expect(try await visitor.send(RecordForm(refused), [:]).status == 303)
            #expect(try await value("title", mei) == "still here")
            #expect(WireText.json(try await value("ranks", mei)) == "[1]")
        }
    }

    @Test(
        "A conflict shows both versions of every kind of field, and the chosen version is saved",
        arguments: ["mine", "theirs"])
    func conflict(keep: String) async throws {
        let mine = [
            "title": "mine", "stars": "7", "place": "5.5, 6.5", "sketch": "bWluZQ==", "of": "mine", "tags": "mine",
            "places": #"[{"latitude": 7, "longitude": 7}]"#,
        ]
        let theirs = #"""
            "title": {"value": "theirs"}, "stars": {"value": 8}, "place": {"value": {"latitude": 8.5, "longitude": 8}},
            "sketch": {"value": "ZXJz", "type": "BYTES"}, "of": {"value": {"recordName": "theirs", "action": "NONE"}},
            "tags": {"value": ["theirs"]}, "places": {"value": [{"latitude": 8, "longitude": 8}]}
            """#
        try await run { _, mei, visitor, address in
            let form = RecordForm(try await visitor.open(address))
            try await mei.save(zone: "Z", "n1", fields: theirs)
            let typed = Dictionary(uniqueKeysWithValues: mine.map { ("f.\($0.key)", $0.value) })
            let conflict = try await visitor.send(form, typed)
            #expect(conflict.status == 409)
            let text = App.unescaped(conflict.text)
            for shown in Array(mine.values) + ["8.5, 8", "ZXJz", ">theirs<"] {
                #expect(text.contains(shown), "\(shown)")
            }
            let choice = Dictionary(uniqueKeysWithValues: mine.keys.map { ("keep.\($0)", keep) })
            let sent = RecordForm(conflict).fields.filter { !$0.key.hasPrefix("keep.") }
            #expect(try await visitor.submit("/console/record", sent.merging(choice) { $1 }).status == 303)
            let isMine = keep == "mine"
            #expect(try await value("title", mei).string == keep)
            #expect(try await value("tags", mei)[path: "0"]?.string == keep)
            #expect(try await value("of", mei)[path: "recordName"]?.string == keep)
            #expect(try await value("stars", mei) == (isMine ? 7 : 8))
            #expect(try await value("place", mei)[path: "altitude"] == (isMine ? .number(12.5) : nil))
            #expect(try await value("sketch", mei) == (isMine ? "bWluZQ==" : "ZXJz"))
        }
    }

    @Test("A trial save shows its outcome, keeps the input and saves nothing")
    func rehearsal() async throws {
        try await run { server, mei, visitor, address in
            let before = try await mei.lookup(zone: "Z", "n1").text
            let form = RecordForm(try await visitor.open(address))
            let good = try await visitor.send(form, ["f.title": "tried"], to: "/console/rehearsal")
            #expect(good.status == 200 && good.text.contains("Would be answered."), "\(good.text)")
            #expect(RecordForm(good).fields["f.title"] == "tried")
            let bad = try await visitor.send(form, ["f.of": "n7", "a.of": "VALIDATE"], to: "/console/rehearsal")
            #expect(
                bad.status == 200 && bad.text.contains("Would be refused: VALIDATING_REFERENCE_ERROR"), "\(bad.text)")
            let wrong = try await visitor.send(form, ["f.stars": "x"], to: "/console/rehearsal")
            #expect(wrong.status == 400 && wrong.text.contains("stars must be"))
            #expect(try await mei.lookup(zone: "Z", "n1").text == before)
            try await mei.save(in: "public", "p1", fields: #""title": {"value": "one"}"#)
            let open = RecordForm(try await visitor.open("/console/record?\(Self.place)&name=p1"))
            let tried = try await visitor.send(open, ["f.title": "by the operator"], to: "/console/rehearsal")
            #expect(tried.text.contains("Would be answered.") && tried.text.contains("_operator"), "\(tried.text)")
            #expect(try await mei.lookup(in: "public", "p1")["records.0.fields.title.value"] == "one")
        }
    }

    @Test("A file shows its type and size, has a preview and a download, and can be removed")
    func files() async throws {
        try await run { server, mei, visitor, address in
            let receipt = try await mei.upload(Pictures.photograph, zone: "Z")
            let text = try await mei.upload(Array("<script>".utf8), zone: "Z")
            try await mei.save(zone: "Z", "n1", fields: #""file": {"value": \#(receipt)}"#)
            let page = try await visitor.open(address)
            #expect(page.text.contains("image/jpeg") && page.text.contains("32 × 64"), "\(page.text)")
            let preview = try #require(page.text.firstMatch(of: #/<img src="(\/previews\/[^"]*)"/#)).output.1
            #expect(try await server.download(App.unescaped(String(preview))).headers[.contentType] == "image/jpeg")
            let link = try #require(page.text.firstMatch(of: #/href="(\/assets\/[^"]*)" download/#)).output.1
            #expect(try await server.download(App.unescaped(String(link))).bytes == Pictures.photograph)
            try await mei.save(zone: "Z", "n1", fields: #""file": {"value": \#(text)}"#)
            let plain = try await visitor.open(address)
            #expect(!plain.text.contains("<img") && plain.text.contains("8 bytes"))
            #expect(try await visitor.send(RecordForm(plain), ["n.file": "1"]).status == 303)
            #expect(try await value("file", mei) == .null)
        }
    }

    @Test("A file is replaced by an upload, whose receipt the record's page saves", arguments: ["public", "private"])
    func replacement(database: String) async throws {
        try await run { server, mei, visitor, address in
            let bytes = Array("\r\n--a new file\r\n".utf8)
            let isPublic = database == "public"
            if isPublic { try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#) }
            let there = isPublic ? "/console/record?\(Self.place)&name=n1" : address
            let page = try await visitor.open(there)
            #expect(page.text.contains(#"form="replace" name="field" value="file""#), "\(page.text)")
            let audit = { try await server.accounts.audit.entries(limit: 100).map(\.action) }
            let before = try await audit()
            let form = try await visitor.submit("/console/file", ["field": "file"])
            #expect(try await audit().count == before.count + 1)
            let uploaded = try await upload(bytes, by: form, server)
            #expect(uploaded.status == 303, "\(uploaded.text)")
            let filled = try await visitor.open(try #require(uploaded.headers[.location]))
            #expect(filled.text.contains("A new file of 16 bytes"), "\(filled.text)")
            let saved = try await visitor.send(RecordForm(filled), ["f.title": "with a file"])
            #expect(saved.status == 303, "\(saved.text)")
            let record = try await mei.lookup(in: database, zone: isPublic ? nil : "Z", "n1")
            #expect(record["records.0.fields.title.value"] == "with a file")
            let url = try #require(record["records.0.fields.file.value.downloadURL"]?.string, "\(record.text)")
            #expect(try await server.download(server.path(of: url)).bytes == bytes)
        }
    }

    /// Uploads a file by the form of a page, as a browser does.
    private func upload(_ bytes: [UInt8], by form: Answer, _ server: TestServer) async throws -> Answer {
        let action = try #require(form.text.firstMatch(of: #/action="(\/uploads\/[^"]*)"/#), "\(form.text)").output.1
        let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
        return try await server.send(
            .post, App.unescaped(String(action)), headers: [.contentType: "multipart/form-data; boundary=b"],
            body: ByteBuffer(bytes: Array(head.utf8) + bytes + Array("\r\n--b--\r\n".utf8)))
    }

    @Test("A refused file gets a page with the reason and a link to the record; programs get the reason")
    func refusedFile() async throws {
        try await TestServer.run(configure: { $0.limits.assets.bytes = 100 }) { server in
            let schema = try await server.makeOperator().importing(RecordForm.schema)
            #expect(schema.status == 200, "\(schema.text)")
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/console/record?\(Self.place)&name=n1")
            let form = try await visitor.submit("/console/file", ["field": "file"])
            let refused = try await upload([UInt8](repeating: 7, count: 70_000), by: form, server)
            #expect(refused.status == 413 && refused.text.contains("An asset has at most 100 bytes"), "\(refused.text)")
            let back = try #require(refused.text.firstMatch(of: #/class="button" href="([^"]*)"/#)).output.1
            let record = try await visitor.open(App.unescaped(String(back)))
            #expect(record.status == 200 && !record.text.contains(#"name="f.file""#), "\(record.text)")
            #expect(try await upload([1], by: form, server).status == 303)
            let again = try await upload([1], by: form, server)
            #expect(again.status == 409 && again.text.contains("has been used"), "\(again.text)")
            let link = server.path(of: try await mei.uploadLinks()[0])
            let program = try await server.send(
                .post, link, body: ByteBuffer(bytes: [UInt8](repeating: 7, count: 70_000)))
            #expect(program.status == 413 && program.code == "QUOTA_EXCEEDED")
        }
    }

    @Test(
        "A forged receipt in an address is refused, and an upload redirects to no other site",
        arguments: ["x", "{}", #"{"fileChecksum": "A", "size": 1}"#, "<b>"])
    func falseReceipts(text: String) async throws {
        try await run { server, mei, visitor, address in
            let filled = try await visitor.open("\(address)&f.file=\(App.query(text))")
            #expect(filled.status == 200 && !filled.text.contains("<b>"))
            let refused = try await visitor.send(RecordForm(filled), [:])
            #expect(refused.status == 400 && refused.text.contains("file"), "\(refused.text)")
            for target in ["https://evil.example", "//evil.example", "/console/people?x", "/console/record?a\r\nb: c"] {
                let link = server.path(of: try await mei.uploadLinks(zone: "Z")[0])
                let answer = try await server.send(
                    .post, "\(link)?to=\(App.query(target))", body: ByteBuffer(string: text))
                #expect(answer.status == 200 && answer["singleFile.receipt"] != nil, "\(answer.text)")
            }
        }
    }

    @Test("A viewer may try a save but not make one")
    func viewer() async throws {
        try await ConsoleOperator.run(role: .viewer) { ines in
            try await ines.enrol()
            let program = try await ines.server.makeOperator()
            let create = Operation.write("create", "n1", fields: #""title": {"value": "one"}"#)
            let made = try await program.send(.post, "records/modify", body: #"{"operations": [\#(create)]}"#)
            #expect(made.status == 200, "\(made.text)")
            let page = try await ines.visitor.open("/console/record?\(Self.place)&name=n1")
            let form = RecordForm(page)
            let tried = try await ines.visitor.send(form, ["f.title": "two"], to: "/console/rehearsal")
            #expect(tried.status == 200 && tried.text.contains("Would be answered."), "\(tried.text)")
            #expect(try await ines.visitor.send(form, ["f.title": "two"]).status == 403)
            _ = try await ines.visitor.open("/console/record?\(Self.place)&name=n1")
            #expect(try await ines.visitor.submit("/console/file", ["field": "file"]).status == 403)
        }
    }
}
