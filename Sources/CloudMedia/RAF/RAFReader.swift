/// Reads a raw file of Fujifilm: the JPEG inside, which has the metadata, and the size.
struct RAFReader {
    private let file: Span
    private static let mostEntries = 1000
    private static let croppedSize = 0x0111

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        let picture = try file.span(file.big(84, 4), file.big(88, 4))
        try JPEGReader(picture).readPicture(&findings)
        // The JPEG may be smaller.
        findings.stored = nil
        findings.facts.isProgressive = false
        findings.attempt { try readSize(file.span(file.big(92, 4), file.big(96, 4)), &$0) }
    }

    private func readSize(_ directory: Span, _ findings: inout Findings) throws {
        let count = try directory.big(0, 4)
        guard count <= Self.mostEntries else { throw MediaFault.limit }
        var at = 4
        for _ in 0..<count {
            let (tag, length) = (try directory.big(at, 2), try directory.big(at + 2, 2))
            if tag == Self.croppedSize {
                findings.setSize(try directory.big(at + 6, 2), try directory.big(at + 4, 2))
                return
            }
            at += 4 + length
        }
    }
}
