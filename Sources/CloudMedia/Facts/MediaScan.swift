import CloudModel

/// One walk through the metadata of a file, which finds its facts and the bytes that tell its place.
package struct MediaScan: Sendable {
    package let facts: MediaFacts
    package let removal: PlaceRemoval
    /// Reads of the source and their bytes.
    package let reads: Int
    package let bytesRead: Int

    /// Nil if the file is no picture or video of a known kind.
    package init?(_ source: any ByteSource, limits: ReadLimits = ReadLimits()) {
        let reader = BoundedReader(source, limits: limits)
        let file = Span(reader)
        guard let kind = try? Self.kind(of: file) else { return nil }
        var findings = Findings(MediaFacts(kind: kind))
        findings.attempt { findings in
            switch kind {
            case .jpeg: try JPEGReader(file).read(&findings)
            case .png: try PNGReader(file).read(&findings)
            case .webp: try WebPReader(file).read(&findings)
            case .heic, .avif: try StillReader(file).read(&findings)
            case .mp4, .quickTime: try MovieReader(file).read(&findings)
            }
        }
        findings.finish()
        facts = findings.facts
        removal = findings.removal
        reads = reader.reads
        bytesRead = reader.bytesRead
    }

    private static func kind(of file: Span) throws -> MediaKind? {
        if try file.has("\u{FF}\u{D8}\u{FF}") { return .jpeg }
        if try file.has("\u{89}PNG\r\n\u{1A}\n") { return .png }
        if try file.has("RIFF"), try file.has("WEBP", at: 8) { return .webp }
        guard try file.has("ftyp", at: 4) else { return nil }
        let brands = try Self.brands(file)
        switch brands.first {
        case "qt  ": return .quickTime
        case "M4A ", "M4B ": return nil
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
        case "mif1", "msf1", "miaf": return brands.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heic
        default: return .mp4
        }
    }

    /// The major brand, then the compatible ones.
    private static func brands(_ file: Span) throws -> [String] {
        let end = min(try file.big(0, 4), file.count, 256)
        return try [8].appending(contentsOf: stride(from: 16, through: end - 4, by: 4)).map { try file.code($0) }
    }
}

extension Array {
    fileprivate func appending(contentsOf more: some Sequence<Element>) -> [Element] { self + more }
}

/// What the readers of a file have found so far.
struct Findings {
    var facts: MediaFacts
    var removal = PlaceRemoval()
    /// Raster size before orientation.
    var stored: (width: Int, height: Int)?
    /// Orientation of EXIF, 1–8.
    var orientation = 1
    /// From XMP: the parts that follow the main picture, in order.
    var parts: [ContainerPart] = []
    /// More parts than any camera writes.
    static let mostParts = 16
    /// From XMP: the length of the video at the end of the file.
    var motionLength: Int?

    init(_ facts: MediaFacts) { self.facts = facts }

    /// Runs a reader. A fault ends that reader only; what was found stays.
    mutating func attempt(_ body: (inout Findings) throws -> Void) {
        do { try body(&self) } catch { failed(error as? MediaFault ?? .broken) }
    }

    mutating func failed(_ fault: MediaFault) {
        facts.fault = facts.fault ?? fault
        removal.isCertain = false
    }

    /// The first time counts, but a file's own text counts before the header, and the same clock with a zone before one without.
    mutating func taken(_ time: TakenTime) {
        guard let known = facts.taken else { return facts.taken = time }
        if time.source == .movieHeader { return }
        let isSameClock = known.clock.wholeSeconds == time.clock.wholeSeconds
        if known.source == .movieHeader || known.zone == .unknown && time.zone != .unknown && isSameClock {
            facts.taken = time
        }
    }

    /// - Returns: false for sizes that no picture has.
    @discardableResult mutating func setSize(_ width: Int, _ height: Int) -> Bool {
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return false }
        stored = (width, height)
        return true
    }

    private static let longestSide = 1 << 20

    mutating func finish() {
        if let stored {
            let isTurned = (5...8).contains(orientation)
            facts.size =
                isTurned
                ? .init(width: stored.height, height: stored.width) : .init(width: stored.width, height: stored.height)
        } else if !facts.kind.isVideo {
            facts.fault = facts.fault ?? .broken
        }
        removal.sort()
    }
}

/// A part behind the main picture, by the container directory of XMP.
struct ContainerPart: Hashable {
    let semantic: String
    let length: Int
    let padding: Int
}
