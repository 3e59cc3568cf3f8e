import CloudModel
import Foundation

/// The languages of the server's pages.
package final class Languages: Sendable {
    /// In the order of their tags.
    package let all: [PageLanguage]
    private let lookup: LanguageLookup

    /// The languages embedded in the program.
    package static let own: Languages = {
        guard let source = try? PublicFiles(folder: nil), let tables = try? tables(source) else {
            return Languages([.english])
        }
        return Languages(Array(tables.values))
    }()

    private init(_ tables: [TextTable]) {
        all = tables.sorted { $0.tag < $1.tag }.map { PageLanguage($0) }
        lookup = LanguageLookup(all.map(\.tag))
    }

    /// The languages of `texts` of the public files, and of an operator's files over them. The embedded texts alone are read
    /// once for the process.
    ///
    /// - Throws: as ``init(_:laying:)``.
    package static func read(_ source: PublicFiles, laying folder: String?) throws -> Languages {
        source.areEmbedded && folder == nil ? own : try Languages(source, laying: folder)
    }

    /// Reads `texts` of the public files, and an operator's files over them. The embedded texts are not checked: tests
    /// check them.
    ///
    /// - Parameter folder: the operator's files, such as `de.json` with some texts of a known language, or `sv.json` with
    ///   all texts of a further language; nil for none.
    /// - Throws: `TextTable.Broken` with the file and the key of the first fault.
    package convenience init(_ source: PublicFiles, laying folder: String? = nil) throws {
        var tables = try Self.tables(source)
        guard let english = tables["en"] else { throw TextTable.Broken(description: "the texts have no en.json") }
        if !source.areEmbedded { for table in tables.values { try Self.refuse(table.problems(beside: english)) } }
        if let folder { try Self.lay(folder, over: &tables, english) }
        self.init(Array(tables.values))
    }

    private static func tables(_ source: PublicFiles) throws -> [String: TextTable] {
        var tables: [String: TextTable] = [:]
        for (name, bytes) in try source.files(in: "texts") where name.hasSuffix(".json") {
            let tag = String(name.dropLast(".json".count))
            tables[tag] = try TextTable(tag: tag, json: bytes)
        }
        return tables
    }

    private static func lay(_ folder: String, over tables: inout [String: TextTable], _ english: TextTable) throws {
        let files: [String]
        do { files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw TextTable.Broken(description: "the folder '\(folder)' of pages.texts cannot be read")
        }
        for file in files where file.hasSuffix(".json") && !file.hasPrefix(".") {
            let tag = String(file.dropLast(".json".count))
            guard LanguageLookup.isTag(tag) else {
                throw TextTable.Broken(
                    description: "\(folder)/\(file): a file is named by a language, such as 'de.json'")
            }
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") else {
                throw TextTable.Broken(description: "\(folder)/\(file) cannot be read")
            }
            let table = try TextTable(tag: tag, json: bytes)
            try refuse(table.problems(beside: english, isWhole: tables[tag] == nil), in: folder)
            if tables[tag] == nil { tables[tag] = table } else { tables[tag]?.lay(table) }
        }
    }

    private static func refuse(_ problems: [String], in folder: String? = nil) throws {
        guard let problem = problems.first else { return }
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        throw TextTable.Broken(description: (folder.map { $0 + "/" } ?? "the texts: ") + problem + more)
    }

    /// - Parameter tag: a language tag in any letter case.
    package func named(_ tag: String) -> PageLanguage? { lookup.place(of: tag).map { all[$0] } }

    package var english: PageLanguage { named("en") ?? .english }

    /// - Throws: `TextTable.Broken` for a language without texts; the description lists the languages.
    package func required(_ tag: String) throws(TextTable.Broken) -> PageLanguage {
        if let language = named(tag) { return language }
        throw TextTable.Broken(
            description: "pages.language is '\(tag)', for which there are no texts; there are those of "
                + all.map(\.tag).joined(separator: ", "))
    }
}

// MARK: The choice of a language

extension Languages {
    /// The language for a request: the one asked for, the one kept from an earlier request, the first that the browser
    /// accepts, the server's own.
    ///
    /// - Parameters:
    ///   - asked: the value of `?lang=`.
    ///   - kept: the value of the cookie.
    ///   - header: `Accept-Language`.
    package func choose(asked: String?, kept: String?, accepted header: String?, otherwise: PageLanguage)
        -> PageLanguage
    {
        let ranges = LanguageRange.read(header)
        let chosen =
            asked.flatMap(known) ?? kept.flatMap(known) ?? first(of: ranges, otherwise: otherwise) ?? otherwise
        // The first accepted region of the language, for its dates and numbers.
        let region = ranges.first { LanguageLookup.language(of: $0.tag) == LanguageLookup.language(of: chosen.tag) }
        return region.map { chosen.inRegion($0.tag) } ?? chosen
    }

    private func known(_ tag: String) -> PageLanguage? {
        tag.utf8.count <= LanguageLookup.longest ? named(tag) : nil
    }

    private func first(of ranges: [LanguageRange], otherwise: PageLanguage) -> PageLanguage? {
        for range in ranges {
            if range.tag == "*" { return otherwise }
            if let language = lookUp(range.tag) { return language }
        }
        return nil
    }

    /// The language for a tag, else another variant of it (``LanguageLookup``).
    package func lookUp(_ tag: String) -> PageLanguage? { lookup.find(tag).map { all[$0] } }
}
