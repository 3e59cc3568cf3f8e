/// Reads the chunks of a PNG.
struct PNGReader {
    private let file: Span
    private static let mostChunks = 20_000

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        guard try file.big(8, 4) == 13, try file.has("IHDR", at: 12),
            try findings.setSize(file.big(16, 4), file.big(20, 4))
        else { throw MediaFault.broken }
        findings.facts.codec = "png"
        findings.facts.isGray = [0, 4].contains(try file.big(25, 1))
        var (at, chunks) = (8, 0)
        while true {
            chunks += 1
            guard chunks <= Self.mostChunks else { throw MediaFault.limit }
            let length = try file.big(at, 4)
            let code = try file.code(at + 4)
            let chunk = try file.span(at + 8, length)
            if code == "IEND" { return }
            findings.attempt { try readChunk(code, chunk, &$0) }
            _ = try file.span(at + 8 + length, 4)
            at += 12 + length
        }
    }

    private func readChunk(_ code: String, _ chunk: Span, _ findings: inout Findings) throws {
        let before = findings.removal.patches.count
        switch code {
        case "eXIf":
            var exif = try ExifReader(chunk.block())
            try exif.read(&findings, appliesOrientation: true)
        case "iTXt": try readText(chunk, &findings)
        case "tEXt", "zTXt": try readOldText(chunk)
        case "cICP":
            ColorReader.codePoints(primaries: try chunk.big(0, 1), transfer: try chunk.big(1, 1), &findings)
        case "sRGB": findings.facts.color = findings.facts.color ?? .sRGB
        case "iCCP":
            let name = try chunk.bytes(0, min(chunk.count, 80)).prefix { $0 != 0 }
            findings.facts.color = findings.facts.color ?? ColorReader.named(latin(name))
        default: break
        }
        if findings.removal.patches.count > before { try repairChecksum(chunk, from: before, &findings) }
    }

    private static let packet = "XML:com.adobe.xmp\u{0}"

    /// International text: keyword, compression flag and method, language, translated keyword, text.
    private func readText(_ chunk: Span, _ findings: inout Findings) throws {
        guard try chunk.has(Self.packet) else { return }
        let start = Self.packet.utf8.count
        guard try chunk.big(start, 1) == 0 else { throw MediaFault.broken }
        let block = try chunk.block()
        guard block.count > start + 2, let language = block.bytes[(start + 2)...].firstIndex(of: 0),
            let translated = block.bytes[(language + 1)...].firstIndex(of: 0)
        else { throw MediaFault.broken }
        var xmp = XMPReader(block.sub(translated + 1..<block.count))
        try xmp.read(&findings)
    }

    /// Some programs write EXIF and XMP as hexadecimal text, whose place is not looked for.
    private func readOldText(_ chunk: Span) throws {
        if try chunk.has("Raw profile type ") || chunk.has("XML:com.adobe.xmp\u{0}") { throw MediaFault.broken }
    }

    /// A chunk of another checksum would be dropped by decoders, with its orientation and date.
    private func repairChecksum(_ chunk: Span, from first: Int, _ findings: inout Findings) throws {
        guard chunk.count <= Block.most else { throw MediaFault.limit }
        let start = chunk.base - file.base - 4
        _ = try file.span(start, chunk.count + 8)
        var bytes = try file.bytes(start, chunk.count + 4)
        for patch in findings.removal.patches[first...] {
            let at = patch.at - chunk.base + 4
            bytes.replaceSubrange(at..<at + patch.bytes.count, with: patch.bytes)
        }
        let checksum = CRC32.of(bytes)
        findings.removal.add(
            chunk.range.upperBound, (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(24 - $0 * 8)) })
    }
}

/// The checksum of PNG chunks (ISO 3309).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(truncatingIfNeeded: $0 ^ UInt32($1)) & 0xFF] }
    }
}
