/// Reads the place in the chunks of an AVI video or a WAV sound, of which few have any.
struct RIFFReader {
    private let file: Span
    private static let mostChunks = 20_000

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        var (at, chunks) = (0, 0)
        while at + 8 <= file.count {
            chunks += 1
            guard chunks <= Self.mostChunks else { throw MediaFault.limit }
            let (code, length) = (try file.code(at), try file.little(at + 4, 4))
            let isList = code == "RIFF" || code == "LIST"
            if isList, try file.count < at + 12 || !file.has("movi", at: at + 8) {
                at += 12
                continue
            }
            let chunk = try file.span(at + 8, min(length, file.count - at - 8))
            findings.attempt { try readChunk(code, chunk, isWhole: chunk.count == length, &$0) }
            at += 8 + length + length & 1
        }
    }

    private func readChunk(_ code: String, _ chunk: Span, isWhole: Bool, _ findings: inout Findings) throws {
        switch code {
        // XMP, and notes of recorders of sound.
        case "_PMX", "iXML":
            findings.hasMetadata = true
            guard isWhole else { throw MediaFault.truncated }
            var xmp = XMPReader(try chunk.block())
            try xmp.read(&findings)
        // Notes of makers.
        case "nctg", "gps ", "GPS ", "gps0", "GPS0": unsure(&findings)
        case "strd" where try chunk.has("AVIF"): unsure(&findings)
        default: break
        }
    }

    private func unsure(_ findings: inout Findings) {
        findings.hasMetadata = true
        findings.removal.isCertain = false
    }
}
