import CloudModel

/// A language that a browser accepts (RFC 9110 section 12.5.4).
package struct LanguageRange: Hashable, Sendable {
    /// The tag as sent, such as `en-GB`; `*` for any.
    package let tag: String
    /// From 0 to 1,000.
    package let weight: Int

    private static let mostRanges = 32

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
        guard let tag = parts.first, tag == "*" || LanguageLookup.isTag(tag) else { return nil }
        guard parts.count > 1 else { return LanguageRange(tag: tag, weight: 1000) }
        guard parts[1].lowercased().hasPrefix("q="), let weight = Double(parts[1].dropFirst(2)), weight > 0, weight <= 1
        else { return nil }
        return LanguageRange(tag: tag, weight: Int(weight * 1000))
    }
}
