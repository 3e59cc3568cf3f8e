/// A bounded scanner for the XML of XMP packets: tags, attributes and contents with their positions.
struct XMLScanner {
    struct Name: Hashable {
        let prefix: String
        let local: String
    }

    struct Attribute {
        let name: Name
        let value: Range<Int>
    }

    struct Element {
        let name: Name
        let attributes: [Attribute]
        /// What stands between the tags.
        var content: Range<Int>
        /// True if it has no elements inside.
        var isLeaf = true
    }

    enum Event {
        case start(Element)
        /// The element whose end was reached.
        case end(Element)
    }

    private let bytes: [UInt8]
    private var at = 0
    private var open: [Element] = []
    private var isSelfClosed = false
    private var tags = 0

    private static let mostTags = 20_000
    private static let deepest = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil at the end. Throws ``MediaFault/broken`` where tags do not match, and for document types.
    mutating func next() throws -> Event? {
        if isSelfClosed {
            isSelfClosed = false
            return open.popLast().map { .end($0) }
        }
        while let tag = find("<", from: at) {
            at = tag
            if isAt("<!--") {
                try skip(behind: "-->")
            } else if isAt("<![CDATA[") {
                try skip(behind: "]]>")
            } else if isAt("<?") {
                try skip(behind: "?>")
            } else if isAt("<!") {
                throw MediaFault.broken
            } else {
                tags += 1
                guard tags <= Self.mostTags else { throw MediaFault.limit }
                return isAt("</") ? .end(try endTag()) : .start(try startTag())
            }
        }
        guard open.isEmpty else { throw MediaFault.truncated }
        return nil
    }

    private mutating func endTag() throws -> Element {
        let start = at
        at += 2
        let name = try name()
        skipSpaces()
        guard isAt(">"), var element = open.popLast(), element.name == name else { throw MediaFault.broken }
        at += 1
        element.content = element.content.lowerBound..<start
        return element
    }

    private mutating func startTag() throws -> Element {
        at += 1
        let name = try name()
        var attributes: [Attribute] = []
        while true {
            skipSpaces()
            if isAt(">") || isAt("/>") { break }
            attributes.append(try attribute())
        }
        isSelfClosed = isAt("/>")
        at += isSelfClosed ? 2 : 1
        guard open.count < Self.deepest else { throw MediaFault.limit }
        if !open.isEmpty { open[open.count - 1].isLeaf = false }
        let element = Element(name: name, attributes: attributes, content: at..<at)
        open.append(element)
        return element
    }

    private mutating func attribute() throws -> Attribute {
        let name = try name()
        skipSpaces()
        guard isAt("=") else { throw MediaFault.broken }
        at += 1
        skipSpaces()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
            throw MediaFault.broken
        }
        let start = at + 1
        guard let end = bytes[start...].firstIndex(of: bytes[at]) else { throw MediaFault.truncated }
        at = end + 1
        return Attribute(name: name, value: start..<end)
    }

    private mutating func name() throws -> Name {
        let end = bytes[at...].prefix(256).firstIndex { $0 <= 0x20 || "=/>\"'<".utf8.contains($0) }
        guard let end, end > at else { throw MediaFault.broken }
        let parts = bytes[at..<end].split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        at = end
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        return texts.count == 2 ? Name(prefix: texts[0], local: texts[1]) : Name(prefix: "", local: texts[0])
    }

    private mutating func skipSpaces() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    private func isAt(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard length <= bytes.count - at else { return false }
        return (0..<length).allSatisfy { bytes[at + $0] == text.utf8Start[$0] }
    }

    private func find(_ text: Unicode.Scalar, from start: Int) -> Int? {
        start < bytes.count ? bytes[start...].firstIndex(of: UInt8(truncatingIfNeeded: text.value)) : nil
    }

    private mutating func skip(behind text: StaticString) throws {
        let length = text.utf8CodeUnitCount
        while length <= bytes.count - at {
            if isAt(text) { return at += length }
            at += 1
        }
        throw MediaFault.truncated
    }
}
