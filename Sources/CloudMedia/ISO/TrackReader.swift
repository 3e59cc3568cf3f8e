/// Reads a track: the picture's size and coding, or the kind of its timed metadata.
struct TrackReader {
    private let track: Span

    init(_ track: Span) { self.track = track }

    func read(_ findings: inout Findings) throws {
        for box in try Boxes.all(track) where ["meta", "udta", "uuid"].contains(box.type) {
            findings.attempt { try MovieMetadata.read(box, &$0) }
        }
        guard let handler = try Boxes.find("mdia", "hdlr", in: track) else { throw MediaFault.broken }
        let kind = try handler.body.code(8)
        let name = latin(try handler.body.bytes(12, min(handler.body.count - 12, 128)))
        // Their subtitles and telemetry tell positions.
        if name.contains("DJI") || name.contains("GoPro MET") { findings.removal.isCertain = false }
        guard let samples = try Boxes.find("mdia", "minf", "stbl", "stsd", in: track) else { throw MediaFault.broken }
        for entry in try Boxes.all(samples.body.span(from: 8)) {
            if kind == "vide" { try readVideo(entry, &findings) } else { try readTelemetry(entry, &findings) }
        }
    }

    /// Positions that are samples of a track stay where they are, so that the removal is not certain.
    private func readTelemetry(_ entry: Box, _ findings: inout Findings) throws {
        switch entry.type {
        case "gpmd", "camm", "rtmd": findings.removal.isCertain = false
        case "mebx":
            let keys = latin(try entry.body.block(most: 64 << 10).bytes).lowercased()
            if keys.contains("location") || keys.contains("gps") { findings.removal.isCertain = false }
        default: break
        }
    }

    private func readVideo(_ entry: Box, _ findings: inout Findings) throws {
        // The first track of pictures counts.
        guard findings.facts.codec == nil else { return }
        findings.facts.codec = entry.type
        try readSize(entry, &findings)
        for box in try Boxes.all(entry.body.span(from: 78)) {
            switch box.type {
            case "colr": try ColorBox.read(box.body, &findings)
            case "avcC": findings.facts.codec = try Self.avc(entry.type, box.body)
            case "hvcC": findings.facts.codec = try Self.hevc(entry.type, box.body)
            default: break
            }
        }
        guard findings.facts.duration == nil, let header = try Boxes.find("mdia", "mdhd", in: track) else { return }
        let isLong = try header.version() == 1
        let (timescale, length) = (
            try header.body.big(isLong ? 20 : 12, 4), try header.body.big(isLong ? 24 : 16, isLong ? 8 : 4)
        )
        guard length != 0xFFFF_FFFF else { return }
        findings.facts.duration = MovieReader.duration(length, timescale: timescale)
    }

    private func readSize(_ entry: Box, _ findings: inout Findings) throws {
        guard let header = try Boxes.find("tkhd", in: track) else { throw MediaFault.broken }
        let matrix = try header.version() == 1 ? 52 : 40
        func magnitude(_ at: Int) throws -> Int {
            let bits = try header.body.big(matrix + at, 4)
            return Int(Int32(truncatingIfNeeded: bits).magnitude)
        }
        // Fixed-point numbers of 16 and 16 bits.
        var size = (try header.body.big(matrix + 36, 4) >> 16, try header.body.big(matrix + 40, 4) >> 16)
        if size.0 == 0 || size.1 == 0 { size = (try entry.body.big(24, 2), try entry.body.big(26, 2)) }
        let isTurned = try magnitude(4) + magnitude(12) > magnitude(0) + magnitude(16)
        guard isTurned ? findings.setSize(size.1, size.0) : findings.setSize(size.0, size.1) else {
            throw MediaFault.broken
        }
    }

    /// `avc1.640028`: profile, constraints and level.
    private static func avc(_ type: String, _ body: Span) throws -> String {
        type + "." + (try body.bytes(1, 3)).map { hex($0) }.joined()
    }

    /// `hvc1.2.4.L153.B0`: profile, compatibility in reverse, tier and level, constraints (ISO 14496-15, annex E).
    private static func hevc(_ type: String, _ body: Span) throws -> String {
        let first = try body.big(1, 1)
        let compatibility = UInt32(truncatingIfNeeded: try body.big(2, 4))
        var reversed: UInt32 = 0
        for bit in 0..<32 where compatibility >> bit & 1 == 1 { reversed |= 1 << (31 - bit) }
        var constraints = try body.bytes(6, 6)
        while constraints.last == 0 { constraints.removeLast() }
        let space = ["", "A", "B", "C"][first >> 6]
        let level = (first & 0x20 == 0 ? "L" : "H") + String(try body.big(12, 1))
        let parts = ["\(space)\(first & 31)", String(reversed, radix: 16, uppercase: true), level]
        return ([type] + parts + constraints.map { String($0, radix: 16, uppercase: true) }).joined(separator: ".")
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
