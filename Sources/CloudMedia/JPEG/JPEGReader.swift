/// Reads the segments in front of a JPEG's first scan, then the pictures and videos behind the picture.
struct JPEGReader {
    private let file: Span
    private static let mostMarkers = 10_000

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        let segments = try readPicture(&findings)
        findings.facts.codec = "jpeg"
        var trailers = JPEGTrailers(file)
        try trailers.read(segments.pictures, &findings)
    }

    /// Reads a picture behind the main one: its place, and whether it is a gain map.
    func readSecondary(_ findings: inout Findings) {
        var inner = Findings(MediaFacts(kind: .jpeg))
        inner.attempt { _ = try readPicture(&$0) }
        findings.removal.merge(inner.removal)
        findings.facts.place = findings.facts.place ?? inner.facts.place
        findings.facts.fault = findings.facts.fault ?? inner.facts.fault
        if findings.facts.hdr == .standard { findings.facts.hdr = inner.facts.hdr }
    }

    /// Reads the picture, without those behind it.
    @discardableResult func readPicture(_ findings: inout Findings) throws -> JPEGSegments {
        var segments = JPEGSegments()
        defer { segments.finish(&findings) }
        try walk(&segments, &findings)
        return segments
    }

    private func walk(_ segments: inout JPEGSegments, _ findings: inout Findings) throws {
        guard try file.has("\u{FF}\u{D8}") else { throw MediaFault.broken }
        var (at, markers) = (2, 0)
        while true {
            markers += 1
            guard markers <= Self.mostMarkers else { throw MediaFault.limit }
            guard try file.big(at, 1) == 0xFF else { throw MediaFault.broken }
            let marker = try file.big(at + 1, 1)
            switch marker {
            case 0xFF: at += 1
            case 0x01, 0xD0...0xD7: at += 2
            case 0xD9, 0xDA:
                guard findings.stored != nil else { throw MediaFault.broken }
                return
            default:
                // EXIF or XMP, even if it is cut off.
                if marker == 0xE1 { findings.hasMetadata = true }
                let length = try file.big(at + 2, 2)
                guard length >= 2 else { throw MediaFault.broken }
                let segment = try file.span(at + 4, length - 2)
                if Self.isFrame(marker) {
                    try readFrame(segment, marker, &findings)
                } else {
                    findings.attempt { try segments.read(segment, marker, &$0) }
                }
                at += 2 + length
            }
        }
    }

    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private func readFrame(_ frame: Span, _ marker: Int, _ findings: inout Findings) throws {
        guard try findings.setSize(frame.big(3, 2), frame.big(1, 2)) else { throw MediaFault.broken }
        findings.facts.isGray = try frame.big(5, 1) == 1
        findings.facts.isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
    }
}
