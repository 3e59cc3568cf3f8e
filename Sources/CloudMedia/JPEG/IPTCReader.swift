/// Finds the names of places in the IPTC records of Photoshop's resources.
struct IPTCReader {
    private let resources: Block
    /// Content location, city, sublocation, province, country, of record 2.
    private static let places: Set<Int> = [26, 27, 90, 92, 95, 100, 101]
    private static let mostRecords = 10_000

    init(_ resources: Block) { self.resources = resources }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        var at = 0
        while at < resources.count, resources.has("8BIM", at: at) {
            guard let id = resources.number(at + 4, 2), let name = resources.number(at + 6, 1) else {
                throw MediaFault.truncated
            }
            let sizeAt = at + 6 + (name + 2) / 2 * 2
            guard let size = resources.number(sizeAt, 4), resources.slice(sizeAt + 4, size) != nil else {
                throw MediaFault.truncated
            }
            if id == 0x0404 { try readRecords(sizeAt + 4..<sizeAt + 4 + size, &findings) }
            at = sizeAt + 4 + (size + 1) / 2 * 2
        }
    }

    private func readRecords(_ range: Range<Int>, _ findings: inout Findings) throws {
        var at = range.lowerBound
        var count = 0
        while at + 5 <= range.upperBound, resources.number(at, 1) == 0x1C {
            count += 1
            guard count <= Self.mostRecords else { throw MediaFault.limit }
            guard let record = resources.number(at + 1, 1), let dataset = resources.number(at + 2, 1),
                let length = resources.number(at + 3, 2), length < 0x8000, length <= range.upperBound - at - 5
            else { throw MediaFault.broken }
            if record == 2, Self.places.contains(dataset) {
                findings.removal.add(at + 5..<at + 5 + length, of: resources, UInt8(ascii: " "))
            }
            at += 5 + length
        }
    }
}
