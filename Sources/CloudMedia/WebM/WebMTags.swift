import CloudModel

/// Reads the place in the tags of a WebM or Matroska video.
struct WebMTags {
    private enum Name {
        static let (tag, simple, checksum) = (0x7373, 0x67C8, 0xBF)
        static let (name, text, bytes) = (0x45A3, 0x4487, 0x4485)
        static let void: UInt8 = 0xEC
    }

    private static let (longestText, deepest) = (4096, 8)
    /// How many more elements are read.
    private var left = 10_000

    mutating func read(_ tags: Span, _ findings: inout Findings) throws {
        findings.hasMetadata = true
        let known = findings.removal.patches.count
        var elements = Elements(tags)
        var checksum: Int?
        while let element = try elements.next() {
            if element.name == Name.checksum { checksum = tags.base + element.at }
            guard element.name == Name.tag else { continue }
            try readSimple(element.body, depth: 0, &findings)
        }
        // Programs could refuse tags with a wrong checksum.
        if let checksum, findings.removal.patches.count > known { findings.removal.add(checksum, [Name.void]) }
    }

    private mutating func readSimple(_ span: Span, depth: Int, _ findings: inout Findings) throws {
        guard depth < Self.deepest else { throw MediaFault.limit }
        var elements = Elements(span)
        while let element = try elements.next() {
            left -= 1
            guard left >= 0 else { throw MediaFault.limit }
            guard element.name == Name.simple else { continue }
            try read(simple: element.body, &findings)
            try readSimple(element.body, depth: depth + 1, &findings)
        }
    }

    private func read(simple: Span, _ findings: inout Findings) throws {
        guard let name = try Elements.find(Name.name, in: simple) else { return }
        let words = latin(try name.bytes(0, min(name.count, Self.longestText))).lowercased()
        guard ["location", "gps", "latitude", "longitude"].contains(where: words.contains) else { return }
        if let text = try Elements.find(Name.text, in: simple) {
            let value = plainText(try text.bytes(0, min(text.count, Self.longestText)))
            findings.facts.place = findings.facts.place ?? value.flatMap(WithheldPlace.init(iso6709:))
            findings.removal.add(text.range, UInt8(ascii: " "))
        }
        if let bytes = try Elements.find(Name.bytes, in: simple) { findings.removal.add(bytes.range, 0) }
    }
}
