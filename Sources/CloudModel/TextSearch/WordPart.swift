/// The role of a character within a word.
enum WordPart {
    /// Continues a word.
    case letter
    /// Forms a word of its own.
    case whole
    /// Belongs to the character before it.
    case mark
    /// Separates words.
    case gap

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            self = .mark
        case .decimalNumber, .letterNumber, .otherNumber:
            self = .letter
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            self = Self.isSpaceless(scalar) ? .whole : .letter
        case .otherSymbol:
            self = properties.isEmoji ? .whole : .gap
        default:
            self = .gap
        }
    }

    /// Returns true if the character's script has no spaces between words.
    private static func isSpaceless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF: true
        case 0xFF66...0xFF9F: true
        default: scalar.properties.isIdeographic
        }
    }
}
