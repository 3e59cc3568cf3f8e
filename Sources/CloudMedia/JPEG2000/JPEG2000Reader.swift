/// Reads the boxes of a JPEG 2000 file.
struct JPEG2000Reader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        findings.facts.codec = "jp2"
        var boxes = Boxes(file)
        while let box = try boxes.next() { findings.attempt { try read(box, &$0) } }
    }

    private static let xmp =
        "\u{BE}\u{7A}\u{CF}\u{CB}\u{97}\u{A9}\u{42}\u{E8}\u{9C}\u{71}\u{99}\u{94}\u{91}\u{E3}\u{AF}\u{AC}"
    private static let records =
        "\u{33}\u{C7}\u{A4}\u{D2}\u{B8}\u{1D}\u{47}\u{23}\u{A0}\u{BA}\u{F1}\u{A3}\u{E0}\u{97}\u{AD}\u{38}"

    private func read(_ box: Box, _ findings: inout Findings) throws {
        switch box.type {
        case "jp2h":
            guard let header = try Boxes.find("ihdr", in: box.body),
                try findings.setSize(header.body.big(4, 4), header.body.big(0, 4))
            else { throw MediaFault.broken }
        case "uuid":
            let contents = try box.body.span(from: 16)
            switch latin(try box.body.bytes(0, 16)) {
            case Self.xmp:
                var xmp = XMPReader(try contents.block())
                try xmp.read(&findings)
            case "JpgTiffExif->JP2":
                // Some programs keep the prefix of JPEG's segment.
                var exif = try ExifReader(contents.span(from: contents.has("Exif\u{0}\u{0}") ? 6 : 0).block())
                try exif.read(&findings, appliesOrientation: true)
            case Self.records: try IPTCReader(contents.block()).read(&findings)
            // Maps, and others.
            default: findings.removal.isCertain = false
            }
        // Text of any kind, positions of maps, and statements about the origin.
        case "xml ", "asoc", "uinf", "jumb": findings.removal.isCertain = false
        default: break
        }
    }
}
