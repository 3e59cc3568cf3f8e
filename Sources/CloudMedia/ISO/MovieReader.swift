import CloudModel

/// Reads an MP4 or QuickTime file, with its `moov` box in any place.
struct MovieReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        var boxes = Boxes(file)
        var hasMovie = false
        while let box = try boxes.next() {
            hasMovie = hasMovie || box.type == "moov"
            findings.attempt { try read(box, &$0) }
        }
        guard hasMovie else { throw MediaFault.broken }
    }

    /// Reads a raw file of Canon, whose directories of metadata are not read.
    func readRaw(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        findings.removal.isCertain = false
        try read(&findings)
        findings.facts.duration = nil
    }

    /// Reads the video inside a picture: its place and the identifier, not its size and time.
    func readInside(_ findings: inout Findings) {
        inside(&findings) { try read(&$0) }
    }

    /// Reads the `moov` box of a picture.
    func readInside(_ movie: Box, _ findings: inout Findings) {
        inside(&findings) { try read(movie, &$0) }
    }

    private func inside(_ findings: inout Findings, _ body: (inout Findings) throws -> Void) {
        var inner = Findings(MediaFacts(kind: .mp4))
        inner.attempt(body)
        findings.removal.merge(inner.removal)
        findings.facts.fault = findings.facts.fault ?? inner.facts.fault
        findings.facts.place = findings.facts.place ?? inner.facts.place
        findings.facts.contentIdentifier = findings.facts.contentIdentifier ?? inner.facts.contentIdentifier
    }

    private func read(_ box: Box, _ findings: inout Findings) throws {
        switch box.type {
        case "moov":
            findings.hasMetadata = true
            try readMovie(box.body, &findings)
        case "meta", "udta", "uuid": try MovieMetadata.read(box, &findings)
        // Tables of positions that some dashboard cameras write.
        case "gps ", "GPS ": findings.removal.isCertain = false
        default: break
        }
    }

    private func readMovie(_ movie: Span, _ findings: inout Findings) throws {
        var boxes = Boxes(movie)
        var tracks = 0
        while let box = try boxes.next() {
            switch box.type {
            case "mvhd": findings.attempt { try readHeader(box, &$0) }
            case "trak":
                tracks += 1
                guard tracks <= 64 else { throw MediaFault.limit }
                findings.attempt { try TrackReader(box.body).read(&$0) }
            case "mvex":
                if let header = try Boxes.find("mehd", in: box.body), findings.facts.duration == nil {
                    let length = try header.body.big(4, header.version() == 0 ? 4 : 8)
                    findings.facts.duration = Self.duration(length, timescale: try Self.timescale(movie))
                }
            case "meta", "udta", "uuid": findings.attempt { try MovieMetadata.read(box, &$0) }
            case "cmov", "gps ", "GPS ": findings.removal.isCertain = false
            default: break
            }
        }
        guard tracks > 0 else { throw MediaFault.broken }
    }

    private func readHeader(_ box: Box, _ findings: inout Findings) throws {
        let isLong = try box.version() == 1
        let created = try box.body.big(4, isLong ? 8 : 4)
        let timescale = try box.body.big(isLong ? 20 : 12, 4)
        let length = try box.body.big(isLong ? 24 : 16, isLong ? 8 : 4)
        if length != (isLong ? .max : 0xFFFF_FFFF) {
            findings.facts.duration = Self.duration(length, timescale: timescale) ?? findings.facts.duration
        }
        // Seconds since 1904; times before 1970 are clocks that were never set.
        let epoch = 2_082_844_800
        if created > epoch, created < epoch + 253_402_300_800 {
            let clock = Timestamp(wholeSeconds: Int64(created - epoch))
            findings.taken(TakenTime(clock: clock, zone: .utcOnly, source: .movieHeader))
        }
    }

    private static func timescale(_ movie: Span) throws -> Int {
        guard let header = try Boxes.find("mvhd", in: movie) else { throw MediaFault.broken }
        return try header.body.big(header.version() == 1 ? 20 : 12, 4)
    }

    /// Nil for zero, and for more than a year.
    static func duration(_ length: Int, timescale: Int) -> Duration? {
        guard timescale > 0, length > 0 else { return nil }
        let milliseconds = (Double(length) / Double(timescale) * 1000).rounded()
        return milliseconds < 366 * 86_400_000 ? .milliseconds(Int(milliseconds)) : nil
    }
}
