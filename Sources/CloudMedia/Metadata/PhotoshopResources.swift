/// Reads Photoshop's resources, of which some are IPTC records, EXIF and XMP.
struct PhotoshopResources {
    private let resources: Block
    private static let most = 10_000
    private static let (records, exif, xmp) = (0x0404, 0x0422, 0x0424)

    init(_ resources: Block) { self.resources = resources }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        var (at, count) = (0, 0)
        while at < resources.count, resources.has("8BIM", at: at) {
            count += 1
            guard count <= Self.most else { throw MediaFault.limit }
            guard let id = resources.number(at + 4, 2), let name = resources.number(at + 6, 1) else {
                throw MediaFault.truncated
            }
            let sizeAt = at + 6 + (name + 2) / 2 * 2
            guard let size = resources.number(sizeAt, 4), resources.slice(sizeAt + 4, size) != nil else {
                throw MediaFault.truncated
            }
            if [Self.records, Self.exif, Self.xmp].contains(id) {
                let resource = resources.sub(sizeAt + 4..<sizeAt + 4 + size)
                findings.attempt { try read(id, resource, &$0) }
            }
            at = sizeAt + 4 + (size + 1) / 2 * 2
        }
    }

    private func read(_ id: Int, _ resource: Block, _ findings: inout Findings) throws {
        switch id {
        case Self.exif:
            var exif = try ExifReader(resource)
            try exif.read(&findings, appliesOrientation: false)
        case Self.xmp:
            var xmp = XMPReader(resource)
            try xmp.read(&findings)
        default: try IPTCReader(resource).read(&findings)
        }
    }
}
