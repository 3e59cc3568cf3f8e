/// Makes text of any origin safe for terminals and log lines.
///
/// Terminals interpret control characters: they move the cursor, clear the screen, set titles, even type input. Direction marks
/// reorder the display. These characters become JSON escapes such as `\u001b`, so that JSON stays valid.
package enum PlainText {
    /// The text escaped for use within a line: line ends are escaped too, so a name cannot start a new line.
    package static func line(_ text: String) -> String { escaped(text, isBlock: false) }

    /// Escapes a multi-line text: line ends and tabs stay.
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
        // Direction marks, and characters that some programs treat as line ends.
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
