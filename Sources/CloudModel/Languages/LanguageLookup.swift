/// Finds the language for a language tag among those that there are.
package struct LanguageLookup: Hashable, Sendable {
    /// The longest tag that is looked up, in bytes.
    package static let longest = 35

    private let tags: [String]
    private let places: [String: Int]

    /// - Parameter tags: language tags such as `pt-BR`, in any letter case; of equal ones the first counts.
    package init(_ tags: [String]) {
        self.tags = tags
        places = Dictionary(tags.enumerated().map { ($0.element.lowercased(), $0.offset) }) { first, _ in first }
    }

    /// True for 1 to ``longest`` ASCII letters, digits and hyphens.
    package static func isTag(_ text: some StringProtocol) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The place of the very tag, in any letter case.
    package func place(of tag: String) -> Int? { places[tag.lowercased()] }

    /// The lookup of RFC 4647 section 3.4, then another variant of the same language: `zh-TW` finds `zh-Hant`, else
    /// `zh-Hans`; `pt-PT` finds `pt`, else `pt-BR`.
    package func find(_ tag: String) -> Int? {
        var parts = Self.spelled(tag).split(separator: "-")
        let primary = parts.first.map(String.init) ?? ""
        let script = primary == "zh" ? Self.script(ofChinese: parts) : nil
        if let script, let place = places["zh-\(script)"] { return place }
        while !parts.isEmpty {
            if let place = places[parts.joined(separator: "-")] { return place }
            parts.removeLast()
            // A single letter begins an extension.
            if parts.last?.count == 1 { parts.removeLast() }
        }
        let variants = tags.indices.filter { Self.language(of: tags[$0]) == primary }
        let written = variants.first { place in
            script.map { Self.script(ofChinese: Self.spelled(tags[place]).split(separator: "-")) == $0 } ?? true
        }
        return written ?? variants.first
    }

    private static func script(ofChinese parts: [Substring]) -> String {
        if parts.contains("hant") { return "hant" }
        if parts.contains("hans") { return "hans" }
        return parts.contains { ["tw", "hk", "mo"].contains($0) } ? "hant" : "hans"
    }

    /// In lower case, with today's codes for Hebrew, Indonesian and Norwegian.
    private static func spelled(_ tag: String) -> String {
        let tag = tag.lowercased()
        for (old, new) in [("iw", "he"), ("in", "id"), ("no", "nb")] where tag == old || tag.hasPrefix(old + "-") {
            return new + tag.dropFirst(2)
        }
        return tag
    }

    /// The language that a tag begins with, such as `pt`.
    package static func language(of tag: String) -> String {
        String(spelled(tag).prefix { $0 != "-" })
    }
}
