package import Foundation

/// The texts of one language, by key: `Public/texts/TAG.json`.
package struct TextTable: Sendable {
    package enum Entry: Hashable, Sendable {
        case plain(String)
        /// A text for each plural category, selected by the placeholder `{count}`.
        case plural([PluralCategory: String])

        package var texts: [String] {
            switch self {
            case .plain(let text): [text]
            case .plural(let forms): Array(forms.values)
            }
        }
    }

    /// A fault in a file of texts; the description names the file and the key.
    package struct Broken: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The language tag, such as `pt-BR`.
    package let tag: String
    /// The language's own name; nil in an operator's file that only replaces some texts.
    package private(set) var name: String?
    /// The person who checked the texts; nil if unchecked.
    package private(set) var checkedBy: String?
    package private(set) var entries: [String: Entry] = [:]

    package init(tag: String) { self.tag = tag }

    /// The English texts in the program.
    static let english: TextTable =
        PublicFiles.embedded("texts/en.json").flatMap { try? TextTable(tag: "en", json: $0) } ?? TextTable(tag: "en")

    /// Reads a file.
    ///
    /// - Throws: ``Broken`` for text that is no JSON object of texts and plural objects.
    package init(tag: String, json: Data) throws(Broken) {
        self.tag = tag
        let values: [String: Value]
        do { values = try JSONDecoder().decode([String: Value].self, from: json) } catch {
            throw Broken(
                description: "\(tag).json is no JSON object of texts and plural objects: \(Self.place(of: error))")
        }
        for (key, value) in values {
            switch (key, value) {
            case ("@name", .text(let text)): name = text
            case ("@checked", .text(let text)): checkedBy = text.isEmpty ? nil : text
            case (_, .text(let text)): entries[key] = .plain(text)
            case (_, .forms(let forms)): entries[key] = .plural(try Self.plural(forms, "\(tag).json: '\(key)'"))
            }
        }
    }

    private static func plural(
        _ forms: [String: String], _ place: String
    ) throws(Broken) -> [PluralCategory: String] {
        var found: [PluralCategory: String] = [:]
        for (name, text) in forms {
            guard let category = PluralCategory(rawValue: name) else {
                throw Broken(
                    description: "\(place) has the form '\(name)', which is no plural category; they are "
                        + PluralCategory.allCases.map(\.rawValue).joined(separator: ", "))
            }
            found[category] = text
        }
        return found
    }

    private static func place(of error: any Error) -> String {
        guard case DecodingError.typeMismatch(_, let context) = error, let key = context.codingPath.first else {
            return "\((error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? "it cannot be read")"
        }
        return "the value of '\(key.stringValue)' is neither"
    }

    private enum Value: Decodable {
        case text(String)
        case forms([String: String])

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                self = .forms(try decoder.singleValueContainer().decode([String: String].self))
            }
        }
    }

    /// Replaces texts by those of another table.
    package mutating func lay(_ other: TextTable) {
        entries.merge(other.entries) { $1 }
        name = other.name ?? name
        checkedBy = other.checkedBy ?? checkedBy
    }
}

extension TextTable {
    /// A text's parts: literals and the names of placeholders, in turn.
    package enum Piece: Hashable, Sendable {
        case literal(Substring)
        case placeholder(Substring)
    }

    /// Splits a text at its placeholders `{name}`; nil for an unbalanced brace or a name with other characters than
    /// letters.
    package static func pieces(_ text: String) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = text.utf8[...]
        while let brace = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            guard rest[brace] == UInt8(ascii: "{"), let end = rest[brace...].firstIndex(of: UInt8(ascii: "}"))
            else { return nil }
            let name = rest[rest.index(after: brace)..<end]
            guard !name.isEmpty, name.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
            else { return nil }
            if brace > rest.startIndex { pieces.append(.literal(Substring(rest[..<brace]))) }
            pieces.append(.placeholder(Substring(name)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.literal(Substring(rest))) }
        return pieces
    }

    /// The names of a text's placeholders; nil for a malformed text.
    package static func placeholders(_ text: String) -> Set<Substring>? {
        pieces(text).map { pieces in
            Set(pieces.compactMap { if case .placeholder(let name) = $0 { name } else { nil } })
        }
    }
}
