import Foundation

/// Folds characters for search: removes differences of case, diacritics, strokes, ligatures, digit scripts, and the width of
/// ASCII characters. Caches its results.
struct Folding {
    /// A folded character.
    struct Folded {
        /// UTF-8.
        let bytes: [UInt8]
        let part: WordPart
        /// The mark's combining class; 0 for characters other than marks.
        let order: UInt8
    }

    private var known: [Unicode.Scalar: [Folded]] = [:]

    /// Folds a character into zero or more characters.
    mutating func fold(_ scalar: Unicode.Scalar) -> [Folded] {
        if let folded = known[scalar] { return folded }
        let folded = Self.folded(scalar)
        known[scalar] = folded
        return folded
    }

    private static func folded(_ scalar: Unicode.Scalar) -> [Folded] {
        var result: [Unicode.Scalar] = []
        let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
        for part in parts where !isDropped(part) { append(part, to: &result) }
        return result.map {
            Folded(
                bytes: Array(String($0).utf8), part: WordPart($0), order: $0.properties.canonicalCombiningClass.rawValue
            )
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
        let scalar = narrow(scalar)
        if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue,
            let folded = Unicode.Scalar(UInt32(UInt8(ascii: "0")) + UInt32(digit))
        {
            return result.append(folded)
        }
        for lower in caseless(scalar) where !isDropped(lower) {
            if let letters = letters[lower] { result += letters.unicodeScalars } else { result.append(lower) }
        }
    }

    /// Goes through upper case, which maps ß to SS, unites both sigmas, and unites i and ı.
    private static func caseless(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.properties.lowercaseMapping.unicodeScalars
            .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }

    /// Letters with a built-in stroke or ligature, which have no decomposition.
    private static let letters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th",
    ]

    /// True for accents, points of Hebrew and Arabic, and variation selectors. Vowel signs and kana voicing stay, since they
    /// distinguish words.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        if (0xFE00...0xFE0F).contains(scalar.value) { return true }
        return switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...: true
        default: false
        }
    }

    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
    }
}
