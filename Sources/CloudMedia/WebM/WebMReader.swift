/// Reads the colors of a WebM or Matroska video, whose tracks stand before its frames.
struct WebMReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    /// Names of elements, with the bits that tell their length.
    private enum Name {
        static let (segment, cluster, tracks, track) = (0x1853_8067, 0x1F43_B675, 0x1654_AE6B, 0xAE)
        static let (video, colors, transfer, primaries) = (0xE0, 0x55B0, 0x55BA, 0x55BB)
    }

    func read(_ findings: inout Findings) throws {
        guard let segment = try find(Name.segment, in: file), let tracks = try find(Name.tracks, in: segment) else {
            throw MediaFault.broken
        }
        var elements = Elements(tracks)
        while let element = try elements.next(), element.name != Name.cluster {
            guard element.name == Name.track, let video = try find(Name.video, in: element.body) else { continue }
            // The first track of pictures counts.
            guard let colors = try find(Name.colors, in: video) else { return }
            return ColorReader.codePoints(
                primaries: try number(Name.primaries, in: colors), transfer: try number(Name.transfer, in: colors),
                &findings)
        }
    }

    private func find(_ name: Int, in span: Span) throws -> Span? {
        var elements = Elements(span)
        while let element = try elements.next(), element.name != Name.cluster {
            if element.name == name { return element.body }
        }
        return nil
    }

    /// 2, "unspecified", for a number that is missing.
    private func number(_ name: Int, in span: Span) throws -> Int {
        guard let body = try find(name, in: span), (1...2).contains(body.count) else { return 2 }
        return try body.big(0, body.count)
    }
}

/// The elements inside a span, in EBML (RFC 8794): a name, a length and contents.
private struct Elements {
    private let span: Span
    private var at = 0
    private var count = 0
    private static let most = 1000

    init(_ span: Span) { self.span = span }

    /// Nil at the end.
    mutating func next() throws -> (name: Int, body: Span)? {
        guard at < span.count else { return nil }
        count += 1
        guard count <= Self.most else { throw MediaFault.limit }
        let name = try word(at, most: 4)
        let length = try word(at + name.size, most: 8)
        let mask = (1 << (7 * length.size)) - 1
        // All ones: as far as the element around it.
        let isOpen = length.value & mask == mask
        let start = at + name.size + length.size
        let rest = span.count - start
        // A file may be cut off.
        let body = try span.span(start, isOpen ? rest : min(length.value & mask, rest))
        at = start + body.count
        return (name.value, body)
    }

    /// A number whose first bits tell how long it is.
    private func word(_ at: Int, most: Int) throws -> (value: Int, size: Int) {
        let size = UInt8(truncatingIfNeeded: try span.big(at, 1)).leadingZeroBitCount + 1
        guard size <= most else { throw MediaFault.broken }
        return (try span.big(at, size), size)
    }
}
