/// Reads the boxes of a JPEG XL file. The size is not read.
struct JPEGXLReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        var boxes = Boxes(file)
        while let box = try boxes.next() { findings.attempt { try read(box, &$0) } }
    }

    private func read(_ box: Box, _ findings: inout Findings) throws {
        switch box.type {
        case "Exif":
            // The position of the TIFF header stands in front.
            let contents = try box.body.span(from: 4)
            var exif = try ExifReader(contents.span(from: box.body.big(0, 4)).block())
            try exif.read(&findings, appliesOrientation: false)
        case "xml ":
            var xmp = XMPReader(try box.body.block())
            try xmp.read(&findings)
        case "uuid": try MovieMetadata.readUUID(box, &findings)
        // Compressed metadata, what a JPEG had that cannot be read here, and statements about the origin.
        case "brob", "jbrd", "jumb": findings.removal.isCertain = false
        default: break
        }
    }
}
