/// What stands behind the main picture of a JPEG: more pictures, gain maps, the video of a motion photo.
struct JPEGTrailers {
    private let file: Span
    /// Where pictures that were read begin.
    private var visited: Set<Int> = [0]
    /// The end of the last part whose kind is known.
    private var knownEnd = 0

    init(_ file: Span) { self.file = file }

    /// - Parameter pictures: those of the multi-picture format, as ranges of the file.
    mutating func read(_ pictures: [Range<Int>], _ findings: inout Findings) throws {
        for picture in pictures where visited.insert(picture.lowerBound - file.base).inserted {
            attempt(&findings) { trailers, findings in
                let span = try trailers.file.span(picture.lowerBound - trailers.file.base, picture.count)
                JPEGReader(span).readSecondary(&findings)
                trailers.knows(span)
            }
        }
        attempt(&findings) { try $0.readParts(&$1) }
        attempt(&findings) { try $0.readMotion(&$1) }
        attempt(&findings) { try $0.readSamsung(&$1) }
        if knownEnd < file.count, try !endsWithPicture() { findings.removal.isCertain = false }
    }

    private mutating func attempt(
        _ findings: inout Findings, _ body: (inout JPEGTrailers, inout Findings) throws -> Void
    ) {
        findings.attempt { try body(&self, &$0) }
    }

    private mutating func knows(_ part: Span) {
        knownEnd = max(knownEnd, part.range.upperBound - file.base)
    }

    /// The parts that XMP lists stand at the end of the file, in order.
    private mutating func readParts(_ findings: inout Findings) throws {
        guard findings.parts.count <= Findings.mostParts else { throw MediaFault.limit }
        var end = file.count
        for part in findings.parts.reversed() where part.semantic != "Primary" && part.length > 0 {
            guard part.padding <= end, part.length <= end - part.padding else { throw MediaFault.truncated }
            end -= part.padding + part.length
            let span = try file.span(end, part.length)
            if part.semantic == "MotionPhoto" {
                attempt(&findings) { try $0.readVideo(span, &$1) }
            } else if try span.has("\u{FF}\u{D8}") {
                if visited.insert(end).inserted { JPEGReader(span).readSecondary(&findings) }
                knows(span)
            }
        }
    }

    private mutating func readMotion(_ findings: inout Findings) throws {
        guard findings.facts.motion == nil, let length = findings.motionLength else { return }
        guard (1...file.count).contains(length) else { throw MediaFault.truncated }
        try readVideo(file.span(file.count - length, length), &findings)
    }

    private mutating func readVideo(_ video: Span, _ findings: inout Findings) throws {
        guard try video.has("ftyp", at: 4) else { throw MediaFault.broken }
        guard findings.facts.motion != video.range else { return }
        findings.facts.motion = findings.facts.motion ?? video.range
        MovieReader(video).readInside(&findings)
        knows(video)
    }

    /// Samsung's trailer: a directory at the end names blocks in front of it, one of which may be a video.
    private mutating func readSamsung(_ findings: inout Findings) throws {
        guard file.count >= 8, try file.has("SEFT", at: file.count - 4) else { return }
        let length = try file.little(file.count - 8, 4)
        let start = file.count - 8 - length
        let directory = try file.span(start, length)
        guard try directory.has("SEFH") else { throw MediaFault.broken }
        let count = try directory.little(8, 4)
        guard count <= 100 else { throw MediaFault.limit }
        for at in (0..<count).map({ 12 + $0 * 12 }) where try directory.little(at + 2, 2) == 0x0A30 {
            let (back, size) = (try directory.little(at + 4, 4), try directory.little(at + 8, 4))
            let block = try file.span(start - back, size)
            try readVideo(block.span(from: 8 + block.little(4, 4)), &findings)
        }
        knownEnd = file.count
    }

    /// True if the file ends with the end of a picture and any number of zeros. Something unknown stands there otherwise.
    private func endsWithPicture() throws -> Bool {
        let length = min(file.count, 4096)
        let end = try file.bytes(file.count - length, length)
        guard let last = end.lastIndex(where: { $0 != 0 }), last > 0 else { return false }
        return end[last] == 0xD9 && end[last - 1] == 0xFF
    }
}
