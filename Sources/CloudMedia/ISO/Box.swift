/// A box of the ISO base media file format, or an atom of QuickTime.
struct Box {
    let type: String
    /// What follows the header.
    let body: Span
    /// The position of the type in the file.
    let typeAt: Int

    /// Follows the four bytes of version and flags.
    func content() throws -> Span { try body.span(from: 4) }

    func version() throws -> Int { try body.big(0, 1) }
}

/// The boxes inside a span, one after the other.
struct Boxes {
    private let span: Span
    private var at = 0
    private var count = 0
    private static let most = 20_000

    init(_ span: Span) { self.span = span }

    /// Nil at the end, and where fewer bytes than a header are left, as QuickTime ends its lists.
    mutating func next() throws -> Box? {
        guard span.count - at >= 8 else { return nil }
        count += 1
        guard count <= Self.most else { throw MediaFault.limit }
        let (start, short) = (at, try span.big(at, 4))
        let header = short == 1 ? 16 : 8
        let length = short == 0 ? span.count - at : short == 1 ? try span.big(at + 8, 8) : short
        guard length >= header else { throw MediaFault.broken }
        let body = try span.span(at + header, length - header)
        at += length
        return Box(type: try span.code(start + 4), body: body, typeAt: span.base + start + 4)
    }

    static func all(_ span: Span) throws -> [Box] {
        var (boxes, found) = (Boxes(span), [Box]())
        while let box = try boxes.next() { found.append(box) }
        return found
    }

    /// The box at the end of a path of types; the first of each.
    static func find(_ path: String..., in span: Span) throws -> Box? {
        var (found, current): (Box?, Span) = (nil, span)
        for type in path {
            guard let box = try all(current).first(where: { $0.type == type }) else { return nil }
            (found, current) = (box, box.body)
        }
        return found
    }
}

enum ColorBox {
    /// Reads a `colr` box, in the forms of pictures and of videos.
    static func read(_ body: Span, _ findings: inout Findings) throws {
        switch try body.code(0) {
        case "nclx", "nclc":
            ColorReader.codePoints(primaries: try body.big(4, 2), transfer: try body.big(6, 2), &findings)
        case "prof", "rICC":
            let profile = try body.span(4, min(body.count - 4, 8192)).block()
            findings.facts.color = ColorReader.profile(profile)
        default: break
        }
    }
}
