/// Finds the names of places in IPTC records.
struct IPTCReader {
    private let records: Block
    /// Content location, city, sublocation, province, country, of record 2.
    private static let places: Set<Int> = [26, 27, 90, 92, 95, 100, 101]
    private static let mostRecords = 10_000

    init(_ records: Block) { self.records = records }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        var at = 0
        var count = 0
        while at + 5 <= records.count, records.number(at, 1) == 0x1C {
            count += 1
            guard count <= Self.mostRecords else { throw MediaFault.limit }
            guard let record = records.number(at + 1, 1), let dataset = records.number(at + 2, 1),
                let length = records.number(at + 3, 2), length < 0x8000, length <= records.count - at - 5
            else { throw MediaFault.broken }
            if record == 2, Self.places.contains(dataset) {
                findings.removal.add(at + 5..<at + 5 + length, of: records, UInt8(ascii: " "))
            }
            at += 5 + length
        }
        // Padding, but no records in another order of bytes.
        guard records.bytes[at...].allSatisfy({ $0 == 0 }) else { throw MediaFault.broken }
    }
}
