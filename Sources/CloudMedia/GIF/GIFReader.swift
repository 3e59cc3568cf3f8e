/// Reads the blocks of a GIF: its size, and XMP.
struct GIFReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        guard try findings.setSize(file.little(6, 2), file.little(8, 2)) else { throw MediaFault.broken }
        findings.facts.codec = "gif"
        var at = try behindColors(13, flags: file.big(10, 1))
        while at < file.count {
            switch try file.big(at, 1) {
            case 0x21:
                let end = try behindParts(at + 2)
                if try file.big(at + 1, 1) == 0xFF { findings.attempt { try readApplication(at + 2..<end, &$0) } }
                at = end
            case 0x2C:
                // Pixels that end early hide nothing.
                guard at + 10 < file.count else { return end(.truncated, &findings) }
                let start = try behindColors(at + 10, flags: file.big(at + 9, 1)) + 1
                guard start < file.count, let end = try behindPixels(start) else { return end(.truncated, &findings) }
                at = end
            // Some programs leave them between blocks.
            case 0: at += 1
            case 0x3B:
                if try !isBlank(from: at + 1) { findings.removal.isCertain = false }
                return
            default: throw MediaFault.broken
            }
        }
    }

    private func end(_ fault: MediaFault, _ findings: inout Findings) { findings.facts.fault = fault }

    /// The position behind a table of colors, if there is one.
    private func behindColors(_ at: Int, flags: Int) -> Int {
        flags & 0x80 == 0 ? at : at + 3 << (flags & 7 + 1)
    }

    /// The position behind parts, each of which has its length in front; the last has none.
    private func behindParts(_ start: Int) throws -> Int {
        var at = start
        while true {
            let length = try file.big(at, 1)
            at += 1 + length
            if length == 0 { return at }
        }
    }

    /// Nil for parts that go beyond the end.
    private func behindPixels(_ start: Int) throws -> Int? {
        var at = start
        while at < file.count {
            let length = try file.big(at, 1)
            at += 1 + length
            if length == 0 { return at }
        }
        return nil
    }

    /// What XMP ends with: it is no row of parts, so a reader of parts is led to the end from each byte of it.
    private static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

    private func readApplication(_ range: Range<Int>, _ findings: inout Findings) throws {
        let start = range.lowerBound + 12
        guard range.count > 12, try file.big(range.lowerBound, 1) == 11 else { return }
        switch latin(try file.bytes(range.lowerBound + 1, 11)) {
        case "XMP DataXMP":
            findings.hasMetadata = true
            let end = range.upperBound - Self.trailer.count
            guard end >= start, try file.bytes(end, Self.trailer.count) == Self.trailer else { throw MediaFault.broken }
            var xmp = XMPReader(try file.span(start, end - start).block())
            try xmp.read(&findings)
        // Records of IPTC, as some programs write them.
        case "MGKIPTC0000", "MGK8BIM0000": throw MediaFault.broken
        default: break
        }
    }

    /// True if only zeros follow.
    private func isBlank(from at: Int) throws -> Bool {
        let rest = file.count - at
        guard rest > 0 else { return true }
        return try rest <= 4096 && file.bytes(at, rest).allSatisfy { $0 == 0 }
    }
}
