/// Makes texts of whatever origin fit for a terminal and for lines of a log.
///
/// A terminal acts on control characters: it moves the cursor, clears what stands there, sets titles, even types. Marks of
/// direction have it show a text in another order. Each is written as JSON writes it, such as `\u001b`, so that JSON stays
/// JSON.
package enum PlainText {
    /// The text escaped for use within a line: line ends are escaped too, so a name cannot start a new line.
    package static func line(_ text: String) -> String { escaped(text, isBlock: false) }

    /// The text as lines of its own: line ends and tabs stay.
    package static func block(_ text: String) -> String { escaped(text, isBlock: true) }

    private static func escaped(_ text: String, isBlock: Bool) -> String {
        guard text.unicodeScalars.contains(where: { isEscaped($0, isBlock) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if isEscaped(scalar, isBlock) {
                escaped += escape(scalar)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isEscaped(_ scalar: Unicode.Scalar, _ isBlock: Bool) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0x09, 0x0A: !isBlock
        // C0, DEL and C1.
        case 0..<0x20, 0x7F..<0xA0: true
        // Marks of direction, and what some take for line ends.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return #"\n"#
        case "\r": return #"\r"#
        case "\t": return #"\t"#
        default:
            let digits = String(scalar.value, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
