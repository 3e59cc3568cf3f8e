import CloudHTTP
import CloudModel

/// What messengers are told of a page that is a note or a web address: the note's beginning, the address's host.
struct CoverWords {
    /// Nil for a page with a title of its own, and for one without words.
    let title: String?
    /// Nil without further words.
    let description: String?

    private static let longestTitle = 80
    private static let longestDescription = 160
    /// The characters of a text that are looked at.
    private static let mostRead = 4000

    /// - Parameter hasTitle: true if the page has a title of its own.
    init(_ words: PageWords, hasTitle: Bool) {
        let text = words.texts.first?.text
        let lines = (text ?? "").prefix(Self.mostRead).split(whereSeparator: \.isNewline)
            .map(Self.plain).filter { !$0.isEmpty }
        guard let first = lines.first else {
            let host = words.links.first?.host
            (title, description) = hasTitle ? (nil, host) : (host, nil)
            return
        }
        title = hasTitle ? nil : Self.cut(first, Self.longestTitle)
        let rest = hasTitle ? lines[...] : lines.dropFirst()
        description = rest.isEmpty ? nil : Self.cut(rest.joined(separator: " "), Self.longestDescription)
    }

    /// A line without control characters, its spaces single.
    private static func plain(_ line: Substring) -> String {
        let scalars = line.unicodeScalars.filter { $0.properties.generalCategory != .control || $0 == "\t" }
        return String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The beginning of a text, up to a space near its end.
    private static func cut(_ text: String, _ most: Int) -> String {
        guard text.count > most else { return text }
        let beginning = text.prefix(most - 1)
        let end = beginning.lastIndex(of: " ").flatMap { end in
            beginning.distance(from: beginning.startIndex, to: end) > most / 2 ? end : nil
        }
        return beginning[..<(end ?? beginning.endIndex)] + "…"
    }
}
