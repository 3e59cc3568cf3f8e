/// Reads the chunks of a WebP file.
struct WebPReader {
    private let file: Span
    private static let mostChunks = 20_000

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        let end = min(try file.little(4, 4) + 8, file.count)
        var (at, chunks) = (12, 0)
        while at + 8 <= end {
            chunks += 1
            guard chunks <= Self.mostChunks else { throw MediaFault.limit }
            let (code, length) = (try file.code(at), try file.little(at + 4, 4))
            let chunk = try file.span(at + 8, min(length, file.count - at - 8))
            if chunk.count < length {
                findings.failed(.truncated)
                if !code.hasPrefix("VP8") { return }
            }
            findings.attempt { try readChunk(code, chunk, &$0) }
            at += 8 + length + length & 1
        }
        if end < file.count { findings.removal.isCertain = false }
    }

    private func readChunk(_ code: String, _ chunk: Span, _ findings: inout Findings) throws {
        switch code {
        case "VP8X":
            guard try findings.setSize(chunk.little(4, 3) + 1, chunk.little(7, 3) + 1) else { throw MediaFault.broken }
        case "VP8L":
            let bits = try chunk.little(1, 4)
            guard try chunk.big(0, 1) == 0x2F else { throw MediaFault.broken }
            try setPlain(code, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, &findings)
        case "VP8 ":
            guard try chunk.big(3, 3) == 0x9D012A else { throw MediaFault.broken }
            try setPlain(code, chunk.little(6, 2) & 0x3FFF, chunk.little(8, 2) & 0x3FFF, &findings)
        case "ICCP":
            findings.facts.color = ColorReader.profile(try chunk.span(0, min(chunk.count, 8192)).block())
        case "EXIF":
            // Some programs keep the prefix of JPEG's segment.
            var exif = try ExifReader(chunk.span(from: chunk.has("Exif\u{0}\u{0}") ? 6 : 0).block())
            try exif.read(&findings, appliesOrientation: true)
        case "XMP ":
            var xmp = XMPReader(try chunk.block())
            try xmp.read(&findings)
        default: break
        }
    }

    /// The size of the bitstream counts where no canvas was declared.
    private func setPlain(_ code: String, _ width: Int, _ height: Int, _ findings: inout Findings) throws {
        findings.facts.codec = findings.facts.codec ?? code
        guard findings.stored == nil else { return }
        guard findings.setSize(width, height) else { throw MediaFault.broken }
    }
}
