/// A language that a browser accepts (RFC 9110 section 12.5.4).
package struct LanguageRange: Hashable, Sendable {
    /// The tag as sent, such as `en-GB`; `*` for any.
    package let tag: String
    /// From 0 to 1,000.
    package let weight: Int

    private static let mostRanges = 32
    private static let longestTag = 35

    /// The ranges of `Accept-Language` by falling weight, without malformed and refused ones.
    package static func read(_ header: String?) -> [LanguageRange] {
        guard let header else { return [] }
        let ranges = header.split(separator: ",", maxSplits: mostRanges).prefix(mostRanges).compactMap(range)
        // The order of equal weights is kept.
        return ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    private static func range(_ text: Substring) -> LanguageRange? {
        let parts = text.split(separator: ";", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let tag = parts.first, isTag(tag) else { return nil }
        guard parts.count > 1 else { return LanguageRange(tag: tag, weight: 1000) }
        guard parts[1].lowercased().hasPrefix("q="), let weight = Double(parts[1].dropFirst(2)), weight > 0, weight <= 1
        else { return nil }
        return LanguageRange(tag: tag, weight: Int(weight * 1000))
    }

    /// True for `*`, and for up to 35 ASCII letters, digits and hyphens.
    package static func isTag(_ text: some StringProtocol) -> Bool {
        if text == "*" { return true }
        return (1...longestTag).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
