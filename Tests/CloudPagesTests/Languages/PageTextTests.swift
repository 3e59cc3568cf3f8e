import CloudHTTP
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// No sentence of a page stands in a template, a script or Swift.
@Suite("Texts of pages", .timeLimit(.minutes(2))) struct PageTextTests {
    private static let sources = TestServer.publicFolder.deletingLastPathComponent().appending(path: "Sources")

    private static func templates() throws -> [(name: String, text: String)] {
        try PublicFiles(folder: nil).files(in: "templates").filter { !$0.name.hasPrefix("console-") }.map {
            ($0.name, String(decoding: $0.bytes, as: UTF8.self))
        }
    }

    private static func swift(in folder: String) throws -> [(name: String, text: String)] {
        let files = FileManager.default.enumerator(at: sources.appending(path: folder), includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
            ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }

    /// Names that are the same in every language.
    private static let names = ["Cumulus", "CloudKit Web Services Reference", "/database/1/", "/health", "dir="]

    /// A template without what is no text: texts of the table, tags of the template and of HTML.
    private func bare(_ template: String) -> String {
        var text = template
        // A text's placeholders have HTML, which is looked at too.
        while let match = text.firstMatch(of: #/\[\[@?[A-Za-z0-9.]+((?: [A-Za-z0-9. ]+)?|(?:\|[^\[\]]*)?)\]\]/#) {
            let values = match.output.1.replacing(#/\|[A-Za-z]+=/#, with: " ")
            text.replaceSubrange(match.range, with: match.output.1.hasPrefix("|") ? values : "")
        }
        return text.replacing(#/\{\{[^}]*\}\}/#, with: "")
    }

    @Test("No letter stands outside a tag in any template but the console's") func templateText() throws {
        for (name, template) in try Self.templates() {
            var text = bare(template).replacing(#/<[^>]*>/#, with: " ")
            for known in Self.names { text = text.replacing(known, with: "") }
            let words = text.split(whereSeparator: \.isWhitespace).filter { $0.contains { $0.isLetter } }
            #expect(words == [], "\(name)")
        }
    }

    @Test("No attribute that people read has a text of its own") func attributes() throws {
        for (name, template) in try Self.templates() {
            for match in bare(template).matches(of: #/ (alt|title|placeholder|aria-label)="([^"]*)"/#) {
                #expect(!match.output.2.contains { $0.isLetter }, "\(name): \(match.output.0)")
            }
        }
    }

    /// The console's scripts, in English, and those of others.
    private static let otherScripts = ["console.js", "console-live.js", "palette.js", "photoswipe.esm.min.js"]

    @Test("No string of a page's script is a sentence") func scripts() throws {
        for (name, bytes) in try PublicFiles(folder: nil).files(in: "static") {
            guard name.hasSuffix(".js"), !Self.otherScripts.contains(name) else { continue }
            let code = String(decoding: bytes, as: UTF8.self).replacing(#/(?m)^\s*\/\/.*$/#, with: "")
            for match in code.matches(of: #/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/#) {
                let text = match.output.1 ?? match.output.2 ?? match.output.3 ?? ""
                // Names of keys and header fields.
                if ["Escape", "Tab", "Shift", "Control", "Alt", "Meta", "Enter", "Arrow"].contains(text) { continue }
                let isSentence = text.firstMatch(of: #/^[A-Z][a-z]+( |$)/#) != nil
                #expect(!isSentence, "\(name): \(text)")
            }
        }
    }

    /// Names of test people, file names and lists of header fields are no sentences, and buttons of the console are English.
    private static let plain = [
        "Ada", "Ben", "Chiara", "Deniz", "Emeka", "Fatima", "Goran", "Hana", "Back to the record", "To the console",
        "Accept-Language, Cookie", "Accept-Encoding", "Cumulus", "WebKit", "App",
    ]

    @Test("No string of the pages' Swift is a sentence or a label") func code() throws {
        for (name, code) in try Self.swift(in: "CloudPages") {
            for line in code.split(separator: "\n") where !line.contains("///") && !line.contains("// ") {
                for match in line.matches(of: #/"([A-Z][a-z]+(?: [^"]*)?)"/#) {
                    let text = String(match.output.1)
                    #expect(Self.plain.contains(text) || text.hasPrefix("Test \\("), "\(name): \(text)")
                }
            }
        }
    }

    @Test("Every key in the code is a key of the tables, and every key is used") func keys() throws {
        let english = try #require(Languages.own.named("en"))
        var used: Set<String> = []
        for folder in ["CloudPages", "CloudHTTP", "CloudWire"] {
            for (name, code) in try Self.swift(in: folder) {
                for match in code.matches(of: #/(?:Phrase\(|call\.text\(|language\.text\(\s*)"([a-z][A-Za-z0-9.]+)"/#) {
                    #expect(english.hasText(String(match.output.1)), "\(name): \(match.output.1)")
                }
                for match in code.matches(of: #/, key: "([a-z][A-Za-z0-9.]+)"/#) {
                    for part in ["title", "text"] { #expect(english.hasText("\(match.output.1).\(part)"), "\(name)") }
                }
                for match in code.matches(of: #/"([a-z][A-Za-z0-9.]+)"/#) {
                    let key = String(match.output.1)
                    used.formUnion([key, key + ".title", key + ".text"])
                }
            }
        }
        for (_, template) in try Self.templates() {
            used.formUnion(template.matches(of: #/\[\[([a-z][A-Za-z0-9.]+)/#).map { String($0.output.1) })
            for match in template.matches(of: #/\[\[@json ([^\]]+)\]\]/#) {
                used.formUnion(match.output.1.split(separator: " ").map(String.init))
            }
        }
        let unused = english.keys.filter { !used.contains($0) && !$0.hasPrefix("reason.") }
        #expect(unused == [])
    }

    @Test("Every page can be filled in every language", arguments: Languages.own.all.map(\.tag))
    func filled(tag: String) throws {
        let languages = Languages.own
        let filler = TemplateTexts(language: try #require(languages.named(tag)), languages: languages.all)
        for (name, template) in try Self.templates() {
            let text = try filler.fill(template, named: name)
            #expect(!text.contains("[["), "\(name)")
        }
    }

    @Test("A template with an unknown key, or without a placeholder's HTML, is refused with its name")
    func refusedTemplate() {
        let filler = TemplateTexts(language: .english, languages: Languages.own.all)
        for template in ["[[no.such.key]]", "[[signin.as]]", "[[signin.as|nome=x]]", "[[count.photos]]", "]]"] {
            let error = #expect(throws: PageTemplates.Unreadable.self) {
                try filler.fill(template, named: "x.mustache")
            }
            #expect(error?.description.contains("the page template x.mustache") == true)
        }
    }

    @Test("The texts for a script neither end its element nor open a tag of the template") func scriptTexts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"copy.done": "</script><b>[[x]] \"&"}"#.utf8).write(to: folder.appending(path: "de.json"))
        let languages = try Languages(PublicFiles(folder: nil), laying: folder.path())
        let filler = TemplateTexts(language: try #require(languages.named("de")), languages: languages.all)
        let json = try filler.fill("[[@json copy.done choice.chosen]]", named: "x")
        for mark in ["<", "[[", "{{", "}}"] { #expect(!json.contains(mark)) }
        let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(read?["copy.done"] as? String == "</script><b>[[x]] \"&")
        #expect((read?["choice.chosen"] as? [String: String])?["other"] == "{count} ausgewählt")
    }
}
