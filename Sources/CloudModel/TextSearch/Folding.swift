import Foundation

/// Text without what a search does not tell apart: case, diacritics, strokes and ligatures of letters, the width of
/// characters, and the script of digits.
enum Folding {
    static func scalars(of text: String) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !isDropped(scalar) {
            append(scalar, to: &result)
        }
        return result
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

    /// By way of upper case, where ß is SS, both sigmas are one and so are i and ı.
    private static func caseless(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.properties.lowercaseMapping.unicodeScalars
            .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }

    /// Letters that have their stroke or ligature built in.
    private static let letters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th",
    ]

    /// Accents, the points of Hebrew and Arabic, and what chooses between the looks of a character. Vowel signs and the voicing of kana make other words.
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
