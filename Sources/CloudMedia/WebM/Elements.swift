/// The elements inside a span, in EBML (RFC 8794): a name, a length and contents.
struct Elements {
    struct Element {
        /// With the bits that tell its length.
        let name: Int
        /// The position of the name in the span.
        let at: Int
        let body: Span
    }

    private let span: Span
    private var at: Int
    private var count = 0
    private static let most = 1000

    /// - Parameter position: where the first element begins.
    init(_ span: Span, from position: Int = 0) {
        self.span = span
        at = position
    }

    /// Nil at the end.
    mutating func next() throws -> Element? {
        guard at < span.count else { return nil }
        count += 1
        guard count <= Self.most else { throw MediaFault.limit }
        let start = at
        let name = try word(start, most: 4)
        let length = try word(start + name.size, most: 8)
        let mask = (1 << (7 * length.size)) - 1
        // All ones: as far as the element around it.
        let isOpen = length.value & mask == mask
        let contents = start + name.size + length.size
        let rest = span.count - contents
        // A file may be cut off.
        let body = try span.span(contents, isOpen ? rest : min(length.value & mask, rest))
        at = contents + body.count
        return Element(name: name.value, at: start, body: body)
    }

    /// A number whose first bits tell how long it is.
    private func word(_ at: Int, most: Int) throws -> (value: Int, size: Int) {
        let size = UInt8(truncatingIfNeeded: try span.big(at, 1)).leadingZeroBitCount + 1
        guard size <= most else { throw MediaFault.broken }
        return (try span.big(at, size), size)
    }

    /// The first element of a name inside a span.
    static func find(_ name: Int, in span: Span) throws -> Span? {
        var elements = Elements(span)
        while let element = try elements.next() {
            if element.name == name { return element.body }
        }
        return nil
    }

    /// The value of the first element of a name; nil if there is none, or no number of 1 to 8 bytes.
    static func number(_ name: Int, in span: Span) throws -> Int? {
        guard let body = try find(name, in: span), (1...8).contains(body.count) else { return nil }
        return try body.big(0, body.count)
    }
}
