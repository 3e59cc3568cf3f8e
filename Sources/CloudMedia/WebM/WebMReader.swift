import CloudModel

/// Reads the size, length, coding, colors and place of a WebM or Matroska video, which stand before its frames; tags may stand
/// behind them as well.
struct WebMReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    /// Names of elements, with the bits that tell their length.
    private enum Name {
        static let (segment, cluster, tracks, track) = (0x1853_8067, 0x1F43_B675, 0x1654_AE6B, 0xAE)
        static let (video, colors, transfer, primaries) = (0xE0, 0x55B0, 0x55BA, 0x55BB)
        static let (codec, width, height) = (0x86, 0xB0, 0xBA)
        static let (shownWidth, shownHeight, shownUnit) = (0x54B0, 0x54BA, 0x54B2)
        static let (left, right, top, bottom) = (0x54CC, 0x54DD, 0x54BB, 0x54AA)
        static let (info, scale, length) = (0x1549_A966, 0x2A_D7B1, 0x4489)
        static let (index, entry, entryName, entryPosition) = (0x114D_9B74, 0x4DBB, 0x53AB, 0x53AC)
        static let tags = 0x1254_C367
    }

    func read(_ findings: inout Findings) throws {
        guard let segment = try Elements.find(Name.segment, in: file) else { throw MediaFault.broken }
        var elements = Elements(segment)
        var (hasTracks, positions, tags) = (false, Set<Int>(), WebMTags())
        while let element = try elements.next() {
            switch element.name {
            case Name.index: findings.attempt { _ in positions = try self.positions(of: Name.tags, element.body) }
            case Name.info: findings.attempt { try readLength(element.body, &$0) }
            case Name.tracks:
                hasTracks = true
                findings.attempt { try readTracks(element.body, &$0) }
            case Name.tags: findings.attempt { try tags.read(element.body, &$0) }
            default: break
            }
            guard element.name == Name.cluster else { continue }
            for position in positions where position > element.at {
                findings.attempt { findings in
                    var rest = Elements(segment, from: position)
                    guard let element = try rest.next(), element.name == Name.tags else { throw MediaFault.broken }
                    try tags.read(element.body, &findings)
                }
            }
            break
        }
        guard hasTracks else { throw MediaFault.broken }
    }

    /// A floating-point number of ticks, which are milliseconds unless the file tells their nanoseconds. Recordings have none.
    private func readLength(_ info: Span, _ findings: inout Findings) throws {
        guard let body = try Elements.find(Name.length, in: info) else { return }
        let bits = try body.bytes(0, body.count <= 8 ? body.count : 0).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let ticks: Double
        switch body.count {
        case 4: ticks = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: ticks = Double(bitPattern: bits)
        default: throw MediaFault.broken
        }
        let milliseconds = ticks * Double(try Elements.number(Name.scale, in: info) ?? 1_000_000) / 1_000_000
        // NaN fails both comparisons.
        guard milliseconds >= 0.5, milliseconds < 1e15 else { return }
        findings.facts.duration = MovieReader.duration(Int(milliseconds.rounded()), timescale: 1000)
    }

    private func readTracks(_ tracks: Span, _ findings: inout Findings) throws {
        var elements = Elements(tracks)
        while let element = try elements.next() {
            // The first track of pictures counts.
            guard element.name == Name.track, let video = try Elements.find(Name.video, in: element.body) else {
                continue
            }
            findings.facts.codec = try Elements.find(Name.codec, in: element.body).flatMap { code in
                plainText(try code.bytes(0, min(code.count, 64)))
            }
            if let size = try size(of: video) { findings.setSize(size.width, size.height) }
            guard let colors = try Elements.find(Name.colors, in: video) else { return }
            return ColorReader.codePoints(
                primaries: try Elements.number(Name.primaries, in: colors) ?? Self.unspecified,
                transfer: try Elements.number(Name.transfer, in: colors) ?? Self.unspecified, &findings)
        }
    }

    private static let unspecified = 2

    /// The size to show, where the file tells it in pixels; else that of the frames without their cut edges.
    private func size(of video: Span) throws -> (width: Int, height: Int)? {
        func number(_ name: Int) throws -> Int? { try Elements.number(name, in: video) }
        func edges(_ one: Int, _ other: Int) throws -> Int {
            try min(number(one) ?? 0, Self.widestEdge) + min(number(other) ?? 0, Self.widestEdge)
        }
        if try number(Name.shownUnit) ?? 0 == 0, let width = try number(Name.shownWidth),
            let height = try number(Name.shownHeight)
        {
            return (width, height)
        }
        guard let width = try number(Name.width), let height = try number(Name.height) else { return nil }
        return (width - (try edges(Name.left, Name.right)), height - (try edges(Name.top, Name.bottom)))
    }

    private static let widestEdge = 1 << 20

    /// Positions in the segment, by the index in front of it.
    private func positions(of name: Int, _ index: Span) throws -> Set<Int> {
        var elements = Elements(index)
        var found: Set<Int> = []
        while let element = try elements.next() {
            guard element.name == Name.entry, try Elements.number(Name.entryName, in: element.body) == name,
                let position = try Elements.number(Name.entryPosition, in: element.body)
            else { continue }
            found.insert(position)
            guard found.count <= Self.mostTags else { throw MediaFault.limit }
        }
        return found
    }

    private static let mostTags = 16
}
