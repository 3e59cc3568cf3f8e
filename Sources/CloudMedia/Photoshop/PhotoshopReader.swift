/// Reads the header and the resources of a document of Photoshop.
struct PhotoshopReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        guard try findings.setSize(file.big(18, 4), file.big(14, 4)) else { throw MediaFault.broken }
        let colors = try file.big(26, 4)
        let resources = try file.span(34 + colors, file.big(30 + colors, 4))
        try PhotoshopResources(resources.block()).read(&findings)
    }
}
