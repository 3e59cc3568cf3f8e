/// The writing direction of a text.
package enum TextDirection: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// The direction of the first letter, as with `dir="auto"`.
    package init(_ text: String) {
        for scalar in text.unicodeScalars {
            if Self.scripts.contains(where: { $0.contains(scalar.value) }) {
                self = .rightToLeft
                return
            }
            if scalar.properties.isAlphabetic { break }
        }
        self = .leftToRight
    }

    /// Hebrew to Arabic Extended-A, presentation forms, and the scripts of the supplementary plane (Unicode's
    /// DerivedBidiClass: R and AL).
    private static let scripts: [ClosedRange<UInt32>] = [
        0x05BE...0x08FF, 0x200F...0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}
