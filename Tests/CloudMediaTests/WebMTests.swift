import CloudMedia
import Testing

struct WebMTests {
    static func element(_ name: Int, _ body: [UInt8]) -> [UInt8] {
        let size = (name.bitWidth - name.leadingZeroBitCount + 7) / 8
        return Bytes.big(name, size) + Bytes.big(1 << 28 | body.count, 4) + body
    }

    /// A video with a sound in front.
    ///
    /// - Parameter transfer: nil for a video that does not tell it.
    static func file(transfer: Int?, isOpen: Bool = false) -> [UInt8] {
        let colors = transfer.map { element(0x55B0, element(0x55BA, [UInt8($0)]) + element(0x55BB, [9])) } ?? []
        let sound = element(0xAE, element(0xD7, [1]) + element(0xE1, [0]))
        let pictures = element(0xAE, element(0xD7, [2]) + element(0xE0, element(0xB0, [1, 64]) + colors))
        let body =
            element(0xEC, [UInt8](repeating: 0, count: 80)) + element(0x1654_AE6B, sound + pictures)
            + element(0x1F43_B675, [UInt8](repeating: 7, count: 40))
        let head = element(0x1A45_DFA3, element(0x4282, Bytes.text("webm")))
        // A recording has no length.
        return head
            + (isOpen
                ? Bytes.big(0x1853_8067, 4) + Bytes.big(0x01FF_FFFF_FFFF_FFFF, 8) + body
                : element(0x1853_8067, body))
    }

    private func facts(_ bytes: [UInt8]) throws -> MediaFacts { try #require(MediaScan(MemorySource(bytes))).facts }

    @Test("The transfer of a WebM video is told", arguments: [true, false]) func transfers(isOpen: Bool) throws {
        for (transfer, kind) in [(16, HDRKind.pq), (18, .hlg), (1, .standard), (nil, .standard)] {
            let facts = try facts(Self.file(transfer: transfer, isOpen: isOpen))
            #expect(facts.kind == .webM && facts.hdr == kind && facts.fault == nil)
        }
    }

    @Test("A WebM video without tracks is broken, which keeps nobody from its bytes") func broken() throws {
        let scan = try #require(MediaScan(MemorySource(Array(Self.file(transfer: 16).prefix(18)))))
        #expect(scan.facts.fault == .broken && scan.facts.hdr == .standard && !scan.hasMetadata)
        let endless = Bytes.big(0x1A45_DFA3, 4) + [0x80] + (0..<2000).flatMap { _ in [UInt8(0xEC), 0x80] }
        #expect(try facts(endless).fault == .limit)
    }
}
