import CloudModel
import Testing

struct PageRuleTests {
    private static let trip = """
        {"recordType": "SharedVacation", "title": "{locationName}",
         "lines": ["{startDate} – {endDate}", "{photoCount} photos", "Shared by {sharedBy}"],
         "items": {"recordType": "SharedPhoto", "join": {"field": "shareId", "equals": "shareId"},
                   "sortBy": "orderIndex", "asset": "photoAsset"},
         "app": {"name": "Vacation Photos", "url": "vacationphotos://share/{id}", "storeId": "123456789",
                 "appIds": ["TEAM123456.com.swapp1990.vacationphotos"]}}
        """

    private func rule(_ text: String) throws -> PageRule { try PageRule(try JSONParser.parse(Array(text.utf8))) }

    @Test("A page rule has a record type, lines, items and an app") func parsing() throws {
        let rule = try rule(Self.trip)
        #expect(rule.recordType == "SharedVacation")
        #expect(rule.lines.count == 3)
        #expect(rule.items?.join == .field("shareId", equals: "shareId"))
        #expect(rule.items?.isOpen == false)
        #expect(rule.isDownloadable)
        #expect(rule.app?.storeID == "123456789")
    }

    @Test("A page rule is read back as it was written") func roundTrip() throws {
        let rule = try rule(Self.trip)
        #expect(try PageRule(rule.json) == rule)
    }

    @Test(
        "A text by language is found as the languages of pages are, else in English, else it is the first",
        arguments: [
            (#"{"fr": "f", "de": "d", "en-GB": "e"}"#, ["de": "d", "de-AT": "d", "ja": "e", "en": "e"]),
            (#"{"pt-PT": "p", "zh-TW": "t", "zh-CN": "s"}"#, ["pt-BR": "p", "zh-Hans": "s", "zh-HK": "t", "de": "p"]),
            (#""all""#, ["de": "all", "x-y": "all"]),
        ])
    func languages(title: String, expected: [String: String]) throws {
        let rule = try rule(#"{"recordType": "A", "title": \#(title), "lines": [\#(title)]}"#)
        for (language, text) in expected {
            #expect(rule.title.template(language).source == text, "\(language)")
        }
        #expect(try PageRule(rule.json) == rule)
    }

    @Test("A title has at most 40 languages") func mostLanguages() throws {
        let titles = { (count: Int) in (0..<count).map { #""l\#($0)": "x""# }.joined(separator: ",") }
        #expect(try rule(#"{"recordType": "A", "title": {\#(titles(40))}}"#).title.template("l7").source == "x")
        #expect(throws: ServerError.self) { try rule(#"{"recordType": "A", "title": {\#(titles(41))}}"#) }
    }

    @Test(
        "A malformed page rule is refused by the path of the member at fault",
        arguments: [
            #"[]"#: "a page rule must be an object",
            #"{}"#: "recordType: missing",
            #"{"recordType": "9a", "title": "x"}"#: "recordType:",
            #"{"recordType": "A"}"#: "title: missing",
            #"{"recordType": "A", "title": "{x"}"#: "title: a '{' has no '}'",
            #"{"recordType": "A", "title": "{a b}"}"#: "title: field name",
            #"{"recordType": "A", "title": "x", "line": []}"#: "line: unknown",
            #"{"recordType": "A", "title": "x", "lines": "y"}"#: "lines: must be an array",
            #"{"recordType": "A", "title": "x", "items": {"recordType": "B"}}"#: "items.join: missing",
            #"{"recordType": "A", "title": "x", "items": {"recordType": "B", "join": {}}}"#: "exactly one of",
            #"{"recordType": "A", "title": "x", "items": {"recordType": "B", "join": {"parent": false}}}"#:
                "items.join.parent",
            #"{"recordType": "A", "title": 1}"#: "title: must be a string, or an object of languages",
            #"{"recordType": "A", "title": {}}"#: "title: has 0 languages, 1 to 40 are allowed",
            #"{"recordType": "A", "title": {"d e": "x"}}"#: "title: 'd e' is no language tag",
            #"{"recordType": "A", "title": {"de": "x", "DE": "y"}}"#: "title: the language 'DE' is there twice",
            #"{"recordType": "A", "title": {"de": ""}}"#: "title.de: must not be empty",
            #"{"recordType": "A", "title": {"de": {"en": "x"}}}"#: "title.de: must be a string, not",
            #"{"recordType": "A", "title": "x", "lines": ["y", {"de": "{"}]}"#: "lines[1].de: a '{' has no '}'",
            #"{"recordType": "A", "title": "x", "downloadable": 1}"#: "downloadable: must be true or false",
            #"{"recordType": "A", "title": "x", "app": {"name": "N", "url": "javascript://%0aalert(1)"}}"#: "app.url",
            #"{"recordType": "A", "title": "x", "app": {"name": "N", "url": "shop://{title}"}}"#:
                "'{title}' is unknown",
            #"{"recordType": "A", "title": "x", "app": {"name": "N", "storeId": "1a"}}"#: "app.storeId",
            #"{"recordType": "A", "title": "x", "app": {"name": "N", "appIds": ["com.a"]}}"#: "app.appIds",
        ])
    func malformed(text: String, reason: String) throws {
        let error = #expect(throws: ServerError.self) { try rule(text) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "A template without any of its fields is left out",
        arguments: [
            ("{a} and {b}", ["a": "1", "b": "2"], "1 and 2"),
            ("{a} and {b}", ["a": "1"], "1 and "),
            ("{a} and {b}", [:], nil),
            ("plain", [:], "plain"),
            ("{a}", ["a": ""], nil),
        ] as [(String, [String: String], String?)])
    func templates(text: String, values: [String: String], filled: String?) throws {
        #expect(try PageTemplate(text, path: "title").filled { values[$0] } == filled)
    }
}

struct PageRecordTests {
    @Test("A stored record with placeholders is parsed for a page")
    func placeholders() throws {
        let key = AssetKey(sha256: Array(repeating: 0xFB, count: 32))
        let body =
            #"{"recordName":"a","recordType":"P","fields":{"f":{"value":{"fileChecksum":"\#(key.fileChecksum)","#
            + "\"size\":3,\"downloadURL\":\"\u{1}\(key.text)\u{1}\"},\"type\":\"ASSETID\"}},"
            + "\"created\":{\"timestamp\":5,\"userRecordName\":\"_u\"}\u{2}}"
        let record = try PageRecord(RecordBody(Array(body.utf8)))
        #expect(record.assets("f") == [key])
        #expect(record.creator == "_u")
        #expect(record.assets("g").isEmpty)
    }
}
