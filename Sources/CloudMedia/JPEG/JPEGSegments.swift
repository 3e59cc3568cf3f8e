/// The application segments of a JPEG.
struct JPEGSegments {
    /// Pictures of the multi-picture format, as ranges of the file; the first is the main one.
    private(set) var pictures: [Range<Int>] = []
    private var extended: [String: ExtendedXMP] = [:]
    private var photoshop = Block()

    private static let mostPackets = 4

    mutating func read(_ segment: Span, _ marker: Int, _ findings: inout Findings) throws {
        switch marker {
        case 0xE1: try readApp1(segment, &findings)
        case 0xE2: try readApp2(segment, &findings)
        case 0xED where try segment.has("Photoshop 3.0\u{0}"):
            guard photoshop.count + segment.count <= Block.most else { throw MediaFault.limit }
            photoshop.append(try segment.bytes(14, segment.count - 14), at: segment.base + 14)
        default: break
        }
    }

    private static let xmp = "http://ns.adobe.com/xap/1.0/\u{0}"
    private static let extendedXMP = "http://ns.adobe.com/xmp/extension/\u{0}"

    private mutating func readApp1(_ segment: Span, _ findings: inout Findings) throws {
        if try segment.has("Exif\u{0}") {
            var exif = try ExifReader(segment.span(from: 6).block())
            try exif.read(&findings, appliesOrientation: true)
        } else if try segment.has(Self.xmp) {
            var xmp = XMPReader(try segment.span(from: Self.xmp.utf8.count).block())
            try xmp.read(&findings)
        } else if try segment.has(Self.extendedXMP) {
            try readExtension(segment.span(from: Self.extendedXMP.utf8.count))
        }
    }

    /// A part of extended XMP: digest of the whole, its length, position of the part, then the part.
    private mutating func readExtension(_ part: Span) throws {
        let (digest, length, at) = (latin(try part.bytes(0, 32)), try part.big(32, 4), try part.big(36, 4))
        guard length <= Block.most, extended[digest] != nil || extended.count < Self.mostPackets else {
            throw MediaFault.limit
        }
        extended[digest, default: ExtendedXMP(length: length)].add(try part.span(from: 40).block(), at: at)
    }

    private mutating func readApp2(_ segment: Span, _ findings: inout Findings) throws {
        if try segment.has("ICC_PROFILE\u{0}\u{1}") {
            let start = try segment.span(14, min(segment.count - 14, 8192))
            findings.facts.color = ColorReader.profile(try start.block())
        } else if try segment.has("MPF\u{0}") {
            try readPictures(segment.span(from: 4))
        } else if try segment.has("urn:iso:std:iso:ts:21496:-1\u{0}") {
            if findings.facts.hdr == .standard { findings.facts.hdr = .gainMap(.iso) }
        }
    }

    /// The index of the multi-picture format. Its positions count from its TIFF header.
    private mutating func readPictures(_ segment: Span) throws {
        let tiff = try TIFF(segment.block())
        guard let first = try tiff.number(4, 4), let entry = try tiff.directory(at: first)[0xB002], tiff.has(entry)
        else { throw MediaFault.truncated }
        guard entry.length / 16 <= 16 else { throw MediaFault.limit }
        for at in stride(from: entry.value, to: entry.value + entry.length / 16 * 16, by: 16) {
            guard let length = try tiff.number(at + 4, 4), let offset = try tiff.number(at + 8, 4) else { continue }
            let start = offset == 0 ? 0 : segment.base + offset
            pictures.append(start..<start + length)
        }
    }

    /// Reads what stood in several segments.
    mutating func finish(_ findings: inout Findings) {
        for packet in extended.values {
            findings.attempt { findings in
                var xmp = XMPReader(try packet.joined())
                try xmp.read(&findings)
            }
        }
        if photoshop.count > 0 { findings.attempt { try PhotoshopResources(photoshop).read(&$0) } }
    }
}

/// The parts of one packet of extended XMP.
private struct ExtendedXMP {
    let length: Int
    private var parts: [(at: Int, block: Block)] = []
    private var count = 0

    init(length: Int) { self.length = length }

    mutating func add(_ block: Block, at: Int) {
        parts.append((at, block))
        count += block.count
    }

    func joined() throws -> Block {
        var whole = Block()
        for part in parts.sorted(by: { $0.at < $1.at }) {
            guard part.at == whole.count, count == length else { throw MediaFault.broken }
            whole.append(part.block)
        }
        return whole
    }
}
