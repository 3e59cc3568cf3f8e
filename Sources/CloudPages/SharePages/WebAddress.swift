import Foundation

/// A web address in a visitor's text, checked before it becomes a link.
package struct WebAddress: Hashable, Sendable {
    /// The address for the browser, in ASCII.
    package let link: String
    /// The host in ASCII: letters of another script may look like those of a known name.
    package let host: String
    /// The address as written, with the host in ASCII.
    package let shown: String

    /// The longest address, in bytes.
    static let longest = 2000

    /// Nil for other schemes than `http` and `https`, for a name or password before the host, and for characters that
    /// change how the address reads.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= Self.longest, let start = Self.schemeEnd(of: text),
            text.unicodeScalars.allSatisfy({ !Self.ends($0) }), let url = URL(string: text),
            let host = url.host(percentEncoded: false), !host.isEmpty, host.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x25 })
        else { return nil }
        let rest = text[start...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let written = rest[..<end]
        guard !written.contains("@"), !written.contains("%") else { return nil }
        link = url.absoluteString
        self.host = host
        guard link.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
        guard !written.utf8.allSatisfy({ $0 < 0x80 }) else {
            shown = text
            return
        }
        shown = text[..<start] + host + (url.port.map { ":\($0)" } ?? "") + rest[end...]
    }

    /// The end of `http://` or `https://` at the beginning of a text.
    private static func schemeEnd(of text: some StringProtocol) -> String.Index? {
        for scheme in schemes {
            if let found = text.range(of: scheme, options: [.anchored, .caseInsensitive]) { return found.upperBound }
        }
        return nil
    }

    static let schemes = ["https://", "http://"]

    /// True for characters that end an address: spaces, quotes, brackets around it, and all that is not visible or changes
    /// the direction of a text.
    static func ends(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .spaceSeparator, .lineSeparator,
            .paragraphSeparator, .initialPunctuation, .finalPunctuation:
            return true
        case .openPunctuation, .closePunctuation: return scalar.value >= 0x80
        default: return #"<>"\^`{|}"#.unicodeScalars.contains(scalar) || marks.contains(scalar)
        }
    }

    /// Punctuation of Chinese and Japanese, which no space separates from an address.
    private static let marks = Set("、。，！？；：・…".unicodeScalars)
}
