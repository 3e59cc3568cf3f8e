/// Identifiers in tokens: stored and compared by their bytes.
enum PlainName {
    /// Returns true for 1 to 255 ASCII characters without control characters.
    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}

/// Names of people as they were told.
package enum ToldName {
    private static let longest = 64

    /// The name without control characters and marks of direction, at most 64 characters; nil if nothing is left.
    package static func cleaned(_ text: String?) -> String? {
        let scalars = (text ?? "").unicodeScalars.filter {
            ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                && !$0.properties.isBidiControl
        }
        let name = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        return name.isEmpty ? nil : String(name.prefix(longest))
    }
}

/// Addresses as they were told.
enum ToldAddress {
    /// Returns true for 3 to 254 bytes with an `@`, without spaces and control characters.
    static func isAddress(_ text: String) -> Bool {
        (3...254).contains(text.utf8.count) && text.contains("@") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }
}
