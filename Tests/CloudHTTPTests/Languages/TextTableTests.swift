@testable import CloudHTTP
import CloudModel
import Foundation
import Testing

@Suite("Tables of texts") struct TextTableTests {
    private static let english = try? TextTable(
        tag: "en",
        json: Data(
            #"{"@name": "English", "title": "Hello {name}", "count": {"one": "{count} photo", "other": "{count} photos"}}"#
                .utf8))

    @Test(
        "A broken file is refused with its name and the key",
        arguments: [
            (#"{"@name": "D", "title": "Hallo {name}", "count": {"one": "{count} F", "other": "{count} Fs"}}"#, nil),
            (#"{"@name": "D", "title": "Hallo {name}", "count": {"one": "ein F", "other": "{count} Fs"}}"#, nil),
            (#"{"title": "Hallo", "more": "x"}"#, "'more' is no key of en.json"),
            (#"{"title": "Hallo"}"#, "'title' lacks the placeholder {name}"),
            (#"{"title": "Hallo {name} {nome}"}"#, "'title' has the unknown placeholder {nome}"),
            (#"{"title": "Hallo {name"}"#, "'title' has a brace that belongs to no placeholder"),
            (#"{"title": ""}"#, "'title' is empty"),
            (#"{"title": {"other": "Hallo {name}"}}"#, "'title' must be a text without plural forms"),
            (#"{"count": "{count} F"}"#, "'count' must be an object of plural forms"),
            (#"{"count": {"other": "{count} F"}}"#, "'count' lacks the plural form 'one'"),
            (
                #"{"count": {"one": "F", "few": "{count} F", "other": "{count} F"}}"#,
                "'count' has the plural form 'few', which the language does not have"
            ),
            (
                #"{"count": {"one": "F", "other": "viele"}}"#,
                "'count' lacks the placeholder {count} in the form 'other'"
            ),
            (#"{"@name": "D", "count": {"one": "F", "other": "{count} F"}}"#, "'title' is missing"),
        ])
    func broken(json: String, problem: String?) throws {
        let english = try #require(Self.english)
        let problems = try TextTable(tag: "de", json: Data(json.utf8)).problems(beside: english)
        if let problem {
            #expect(problems.contains("de.json: " + problem), "\(problems)")
        } else {
            #expect(problems == [])
        }
    }

    @Test(
        "A file that is no table of texts is refused with its name",
        arguments: [
            ("[]", "de.json is no JSON object"), ("{", "de.json is no JSON object"),
            (#"{"title": 1}"#, "the value of 'title' is neither"),
            (#"{"title": {"alles": "x"}}"#, "'title' has the form 'alles', which is no plural category"),
        ])
    func unreadable(json: String, problem: String) {
        let error = #expect(throws: TextTable.Broken.self) { try TextTable(tag: "de", json: Data(json.utf8)) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    /// Russian uses one form for 1, 21 and 31, so the form needs the number.
    @Test("A plural form of several numbers keeps the number") func formOfSeveralNumbers() throws {
        let english = try #require(Self.english)
        let json = #"{"@name": "R", "title": "{name}", "count": {"one": "F", "few": "{count} F", "many": "{count} F"}}"#
        #expect(
            try TextTable(tag: "ru", json: Data(json.utf8)).problems(beside: english) == [
                "ru.json: 'count' lacks the placeholder {count} in the form 'one'"
            ])
    }

    @Test(
        "A refusal's values are found in its sentence",
        arguments: [
            ("Email is longer than 254 bytes.", "Email is longer than {limit} bytes.", ["limit": "254"]),
            ("At most 8 and 9.", "At most {a} and {b}.", ["a": "8", "b": "9"]), ("Same.", "Same.", [:]),
            ("Same.", "Other.", nil), ("Same. More.", "Same.", nil),
        ] as [(String, String, [String: String]?)])
    func values(text: String, pattern: String, values: [String: String]?) {
        #expect(TextTable.values(in: text, of: pattern) == values)
    }
}

@Suite("Choice of a language") struct LanguageChoiceTests {
    @Test("The program has fourteen whole languages") func languages() throws {
        let languages = try Languages(PublicFiles(folder: nil))
        #expect(
            languages.all.map(\.tag) == [
                "ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt-BR", "ru", "tr", "zh-Hans",
            ])
        #expect(languages.all.filter { $0.direction == .rightToLeft }.map(\.tag) == ["ar"])
        #expect(Languages.own.all.map(\.tag) == languages.all.map(\.tag))
    }

    @Test("The program's texts are faultless") func texts() throws {
        let files = try PublicFiles(folder: nil).files(in: "texts")
        let tables = try files.map { try TextTable(tag: String($0.name.dropLast(5)), json: $0.bytes) }
        let english = try #require(tables.first { $0.tag == "en" })
        #expect(tables.flatMap { $0.problems(beside: english) } == [])
    }

    @Test(
        "A page's language is the one asked for, else kept, else accepted, else the server's",
        arguments: [
            ("de", "fr", "it", "de"), ("DE", nil, nil, "de"), (nil, "fr", "it", "fr"), ("xx", "yy", "it", "it"),
            (nil, nil, nil, "nl"), (nil, nil, "", "nl"), (nil, nil, "*", "nl"), (nil, nil, "sv", "nl"),
            (nil, nil, "de-AT", "de"), (nil, nil, "pt-PT", "pt-BR"), (nil, nil, "pt", "pt-BR"),
            (nil, nil, "zh", "zh-Hans"), (nil, nil, "zh-TW", "zh-Hans"), (nil, nil, "zh-Hant-HK", "zh-Hans"),
            (nil, nil, "sv;q=1, fr;q=0.5, it;q=0.7", "it"), (nil, nil, "fr;q=0, en;q=0.1", "en"),
            (nil, nil, "ja-JP-u-ca-japanese", "ja"), (nil, nil, "de;q=x, fr", "fr"), (nil, nil, "\u{1}, ;, ko", "ko"),
            (nil, nil, String(repeating: "sv,", count: 40) + "de", "nl"),
            (String(repeating: "d", count: 5000), nil, nil, "nl"),
        ] as [(String?, String?, String?, String)])
    func choice(asked: String?, kept: String?, header: String?, expected: String) throws {
        let languages = Languages.own
        let dutch = try #require(languages.named("nl"))
        #expect(languages.choose(asked: asked, kept: kept, accepted: header, otherwise: dutch).tag == expected)
    }

    @Test(
        "Dates have the form of the accepted region",
        arguments: [
            ("en", "November 14, 2023"), ("en-GB", "14 November 2023"), ("de", "14. November 2023"),
            ("de-AT", "14. November 2023"), ("ja", "2023年11月14日"), ("en-u-ca-islamic", "November 14, 2023"),
            ("en-GB-u-ca-islamic", "14 November 2023"), ("en-150", "14 November 2023"), ("en-99", "November 14, 2023"),
            ("en-Q7-GB", "14 November 2023"), ("en-000", "November 14, 2023"),
        ])
    func region(header: String, expected: String) {
        let language = Languages.own.choose(asked: nil, kept: nil, accepted: header, otherwise: .english)
        #expect(language.date(Timestamp(wholeSeconds: 1_700_000_000)) == expected)
    }

    @Test(
        "Counts have the language's plural form and separators",
        arguments: [
            ("en", 1, "1 photo"), ("en", 1500, "1,500 photos"), ("de", 1500, "1.500 Fotos"), ("fr", 0, "0 photo"),
            ("ru", 21, "21 фотография"), ("ru", 12, "12 фотографий"), ("pl", 22, "22 zdjęcia"), ("ar", 2, "صورتان"),
            ("ja", 3, "写真3枚"),
        ])
    func count(tag: String, number: Int, expected: String) throws {
        let language = try #require(Languages.own.named(tag))
        #expect(language.text("count.photos", ["count": .number(number)]) == expected)
    }

    @Test("A name of the other direction is isolated in a sentence") func isolation() throws {
        let arabic = try #require(Languages.own.named("ar"))
        #expect(PageLanguage.english.text("share.by", ["name": .name("Anna")]) == "Shared by Anna")
        #expect(PageLanguage.english.text("share.by", ["name": .name("ليلى")]) == "Shared by \u{2068}ليلى\u{2069}")
        #expect(arabic.text("share.by", ["name": .name("Anna")]).contains("\u{2068}Anna\u{2069}"))
        #expect(!arabic.text("share.by", ["name": .name("ليلى")]).contains("\u{2068}"))
    }
}

@Suite("An operator's texts") struct OperatorTextsTests {
    private func languages(_ files: [String: String]) throws -> Languages {
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return try Languages(PublicFiles(folder: nil), laying: folder.path())
    }

    @Test("They replace texts of a language, and leave the others") func laid() throws {
        let german = try #require(
            try languages(["de.json": #"{"signin.title": "Guten Tag"}"#, "note.txt": "x"]).named("de"))
        #expect(german.text("signin.title") == "Guten Tag")
        #expect(german.text("signout.title") == "Abmelden")
        #expect(german.name == "Deutsch")
    }

    @Test("They add a language with all texts") func added() throws {
        let english = try #require(
            try PublicFiles(folder: nil).files(in: "texts").first { $0.name == "en.json" }?.bytes)
        let languages = try languages(["sv.json": String(decoding: english, as: UTF8.self)])
        #expect(languages.named("sv")?.text("signin.title") == "Sign in")
        #expect(languages.all.count == 15)
    }

    @Test(
        "A broken file is refused with its path and the key",
        arguments: [
            (["de.json": #"{"signin.titel": "x"}"#], "de.json: 'signin.titel' is no key of en.json"),
            (["sv.json": #"{"@name": "Svenska"}"#], "sv.json: 'about.by' is missing (and "),
            (["xx.json": "{}"], "xx.json: no plural rule of the language 'xx' is known"),
            (["my texts.json": "{}"], "a file is named by a language"),
        ])
    func refused(files: [String: String], problem: String) {
        let error = #expect(throws: TextTable.Broken.self) { try languages(files) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test("A missing folder is refused with its setting") func missing() {
        let error = #expect(throws: TextTable.Broken.self) {
            try Languages(PublicFiles(folder: nil), laying: "/nowhere")
        }
        #expect(error?.description == "the folder '/nowhere' of pages.texts cannot be read")
    }
}
