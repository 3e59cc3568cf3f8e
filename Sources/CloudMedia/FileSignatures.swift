// How kinds of files are told by their first bytes.
extension MediaKind {
    private static let signatures: [(text: String, kind: MediaKind)] = [
        ("\u{FF}\u{D8}\u{FF}", .jpeg), ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF87a", .gif), ("GIF89a", .gif),
        ("\u{1A}\u{45}\u{DF}\u{A3}", .webM), ("FUJIFILMCCD-RAW ", .fujifilm),
        ("\u{0}\u{0}\u{0}\u{C}JXL \r\n\u{87}\n", .jpegXL), ("\u{0}\u{0}\u{0}\u{C}jP  \r\n\u{87}\n", .jpeg2000),
        ("8BPS\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .photoshop),
        ("8BPS\u{0}\u{2}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .photoshop),
        // Minolta, and older ones of Canon.
        ("\u{0}MRM", .raw), ("II\u{1A}\u{0}\u{0}\u{0}HEAPCCDR", .raw),
    ]

    private static let forms: [(text: String, kind: MediaKind)] = [("WEBP", .webp), ("AVI ", .riff), ("WAVE", .riff)]
    /// What movies of older cameras begin with.
    private static let firstAtoms = ["moov", "mdat", "wide", "free", "skip", "pnot"]

    /// Nil for a file that is no picture, video or recording of a known kind.
    init?(_ file: Span) throws {
        for signature in Self.signatures where try file.has(signature.text) {
            self = signature.kind
            return
        }
        if try file.has("RIFF") {
            guard let kind = try Self.forms.first(where: { try file.has($0.text, at: 8) })?.kind else { return nil }
            self = kind
        } else if try ByteOrder(.file(file)) != nil {
            self = .tiff
        } else if try file.has("ftyp", at: 4) {
            self.init(brands: try Self.brands(file))
        } else if try Self.firstAtoms.contains(where: { try file.has($0, at: 4) }) {
            self = .quickTime
        } else if try file.has("FOVb"), try file.has("\u{0}", at: 5), try file.has("\u{0}", at: 7) {
            // Sigma.
            self = .raw
        } else if try TransportReader.begins(file) {
            self = .transport
        } else {
            return nil
        }
    }

    private init(brands: [String]) {
        switch brands.first {
        case "qt  ": self = .quickTime
        case "M4A ", "M4B ": self = .mpegSound
        case "crx ": self = .canon
        case "avif", "avis": self = .avif
        case "heic", "heix", "hevc", "hevx", "heim", "heis": self = .heic
        case "mif1", "msf1", "miaf": self = brands.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heic
        default: self = .mp4
        }
    }

    /// The major brand, then the compatible ones.
    private static func brands(_ file: Span) throws -> [String] {
        let end = min(try file.big(0, 4), file.count, 256)
        return try ([8] + Array(stride(from: 16, through: end - 4, by: 4))).map { try file.code($0) }
    }
}
