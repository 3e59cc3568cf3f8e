/// What stands behind the main picture of a JPEG: more pictures, gain maps, the video of a motion photo.
struct JPEGTrailers {
    let file: Span

    func read(_ pictures: [Range<Int>], _ findings: inout Findings) throws {
        var visited: Set<Int> = [0]
        if findings.parts.count > Findings.mostParts { findings.failed(.limit) }
        for picture in pictures where visited.insert(picture.lowerBound - file.base).inserted {
            findings.attempt { findings in
                let span = try file.span(picture.lowerBound - file.base, picture.count)
                JPEGReader(span).readSecondary(&findings)
            }
        }
        findings.attempt { try readParts(&visited, &$0) }
        if findings.facts.motion == nil, let length = findings.motionLength {
            findings.attempt { findings in
                guard (1...file.count).contains(length) else { throw MediaFault.truncated }
                try readVideo(file.span(file.count - length, length), &findings)
            }
        }
        findings.attempt { try readSamsung(&$0) }
        let isListed = visited.count > 1 || findings.facts.motion != nil
        if !isListed, try !endsWithPicture() { findings.removal.isCertain = false }
    }

    /// True if the file ends with the end of a picture and any number of zeros. Something unknown stands there otherwise.
    private func endsWithPicture() throws -> Bool {
        let length = min(file.count, 4096)
        let end = try file.bytes(file.count - length, length)
        guard let last = end.lastIndex(where: { $0 != 0 }), last > 0 else { return false }
        return end[last] == 0xD9 && end[last - 1] == 0xFF
    }

    /// The parts that XMP lists stand at the end of the file, in order.
    private func readParts(_ visited: inout Set<Int>, _ findings: inout Findings) throws {
        var end = file.count
        for part in findings.parts.reversed() where part.semantic != "Primary" && part.length > 0 {
            guard part.padding <= end, part.length <= end - part.padding else { throw MediaFault.truncated }
            end -= part.padding + part.length
            let span = try file.span(end, part.length)
            guard visited.insert(end).inserted else { continue }
            if part.semantic == "MotionPhoto" {
                findings.attempt { try readVideo(span, &$0) }
            } else if try span.has("\u{FF}\u{D8}") {
                JPEGReader(span).readSecondary(&findings)
            }
        }
    }

    private func readVideo(_ video: Span, _ findings: inout Findings) throws {
        guard try video.has("ftyp", at: 4) else { throw MediaFault.broken }
        guard findings.facts.motion == nil else { return }
        findings.facts.motion = video.range
        MovieReader(video).readInside(&findings)
    }

    /// Samsung's trailer: a directory at the end names blocks in front of it, one of which may be a video.
    private func readSamsung(_ findings: inout Findings) throws {
        guard file.count >= 8, try file.has("SEFT", at: file.count - 4) else { return }
        let length = try file.little(file.count - 8, 4)
        let start = file.count - 8 - length
        let directory = try file.span(start, length)
        guard try directory.has("SEFH") else { throw MediaFault.broken }
        let count = try directory.little(8, 4)
        guard count <= 100 else { throw MediaFault.limit }
        for at in (0..<count).map({ 12 + $0 * 12 }) {
            let (kind, back, size) = (
                try directory.little(at + 2, 2), try directory.little(at + 4, 4), try directory.little(at + 8, 4)
            )
            guard kind == 0x0A30 else { continue }
            let block = try file.span(start - back, size)
            let name = try block.little(4, 4)
            try readVideo(block.span(from: 8 + name), &findings)
        }
    }
}
