/// The first bytes of a TIFF structure, which tell the order of the bytes in numbers, and which format it is.
struct ByteOrder {
    enum Format {
        case standard
        /// Raw files of Olympus.
        case olympus
        /// Raw files of Panasonic and Leica.
        case panasonic
        /// With positions of eight bytes.
        case big
    }

    let isLittle: Bool
    let format: Format

    /// Nil for other bytes.
    init?(_ bytes: TIFFBytes) throws {
        guard let head = try bytes.bytes(0, 4) else { return nil }
        switch latin(head) {
        case "II*\u{0}": (isLittle, format) = (true, .standard)
        case "MM\u{0}*": (isLittle, format) = (false, .standard)
        case "II+\u{0}": (isLittle, format) = (true, .big)
        case "MM\u{0}+": (isLittle, format) = (false, .big)
        case "IIU\u{0}": (isLittle, format) = (true, .panasonic)
        // Letters alone may begin a text as well.
        case "IIRO", "IIRS": (isLittle, format) = (true, .olympus)
        case "MMOR": (isLittle, format) = (false, .olympus)
        default: return nil
        }
        guard format == .olympus else { return }
        guard try bytes.number(4, 4, isLittle: isLittle) == 8 else { return nil }
    }
}
