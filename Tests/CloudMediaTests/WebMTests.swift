import CloudMedia
import CloudModel
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

    private static func number(_ name: Int, _ value: Int) -> [UInt8] { element(name, Bytes.big(value, 2)) }

    /// A video of 320 × 180 pixels in VP9, with what else is given.
    private static func file(
        info: [UInt8] = [], video: [UInt8] = [], tags: [UInt8] = [], index: [UInt8] = [], behind: [UInt8] = []
    ) -> [UInt8] {
        let size = number(0xB0, 320) + number(0xBA, 180)
        let track = element(0xAE, element(0x86, Bytes.text("V_VP9")) + element(0xE0, size + video))
        return element(0x1A45_DFA3, element(0x4282, Bytes.text("webm")))
            + element(
                0x1853_8067,
                index + element(0x1549_A966, info) + element(0x1654_AE6B, track) + tags
                    + element(0x1F43_B675, [UInt8](repeating: 7, count: 40)) + behind)
    }

    private static func double(_ value: Double) -> [UInt8] {
        let bits = value.bitPattern
        return (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }

    @Test(
        "A WebM video tells its length in ticks",
        arguments: [
            (element(0x4489, double(2500)), Duration.milliseconds(2500)),
            (element(0x4489, Bytes.big(Int(Float(2500).bitPattern), 4)), .milliseconds(2500)),
            (element(0x2A_D7B1, Bytes.big(10_000, 2)) + element(0x4489, double(250_000)), .milliseconds(2500)),
            ([], nil), (element(0x4489, double(0)), nil), (element(0x4489, double(-1)), nil),
            (element(0x4489, double(.nan)), nil), (element(0x4489, double(.infinity)), nil),
            (element(0x4489, double(1e300)), nil), (element(0x4489, double(1e12)), nil),
        ] as [([UInt8], Duration?)])
    func length(info: [UInt8], expected: Duration?) throws {
        let facts = try facts(Self.file(info: info))
        #expect(facts.duration == expected && facts.fault == nil && facts.codec == "V_VP9")
    }

    @Test(
        "A WebM video tells its size as shown",
        arguments: [
            ([], 320, 180), (number(0x54B0, 240) + number(0x54BA, 180), 240, 180),
            // A shape, not pixels.
            (number(0x54B0, 16) + number(0x54BA, 9) + element(0x54B2, [3]), 320, 180),
            (number(0x54CC, 10) + number(0x54DD, 30) + number(0x54BB, 20), 280, 160),
        ] as [([UInt8], Int, Int)])
    func size(video: [UInt8], width: Int, height: Int) throws {
        let facts = try facts(Self.file(video: video))
        #expect(facts.size?.width == width && facts.size?.height == height && facts.fault == nil)
    }

    @Test("Edges wider than the frames, and sizes that no video has, tell nothing")
    func impossibleSizes() throws {
        for video in [
            Self.number(0x54CC, 500), Self.element(0x54B0, Bytes.big(.max, 8)) + Self.number(0x54BA, 9),
            Self.element(0x54CC, Bytes.big(.max, 8)) + Self.element(0x54DD, Bytes.big(.max, 8)),
        ] { #expect(try facts(Self.file(video: video)).size == nil) }
    }

    /// Tags with a checksum and a title, and another tag's name and text.
    private static func tags(_ name: String, _ text: String, nested: Bool = false) -> [UInt8] {
        func simple(_ name: String, _ text: String, _ more: [UInt8] = []) -> [UInt8] {
            element(0x67C8, element(0x45A3, Bytes.text(name)) + element(0x4487, Bytes.text(text)) + more)
        }
        let inner = simple(name, text)
        return element(
            0x1254_C367,
            element(0xBF, [1, 2, 3, 4])
                + element(0x7373, simple("TITLE", "Sea", nested ? inner : []) + (nested ? [] : inner)))
    }

    @Test(
        "The place in a WebM video's tags is found and overwritten, and all else stays",
        arguments: [(false, false), (true, false), (false, true)])
    func place(isBehind: Bool, isNested: Bool) throws {
        let tags = Self.tags("LOCATION", "+52.5200+013.4050/", nested: isNested)
        var file = Self.file(tags: isBehind ? [] : tags, behind: isBehind ? tags : [])
        if isBehind {
            // The index tells positions in the segment; its own length is known.
            func index(_ position: Int) -> [UInt8] {
                Self.element(
                    0x114D_9B74,
                    Self.element(
                        0x4DBB,
                        Self.element(0x53AB, Bytes.big(0x1254_C367, 4)) + Self.element(0x53AC, Bytes.big(position, 4))))
            }
            let before = Self.file(index: index(0)).count - Self.file().count
            let segment = Self.element(0x1A45_DFA3, Self.element(0x4282, Bytes.text("webm"))).count + 8
            file = Self.file(index: index(Self.file().count + before - segment), behind: tags)
        }
        let scan = try #require(MediaScan(MemorySource(file)))
        #expect(scan.facts.place?.reveal() == Coordinate(latitude: 52.52, longitude: 13.405))
        #expect(scan.removal.isCertain && scan.facts.fault == nil && scan.hasMetadata)
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        #expect(clean.count == file.count)
        #expect(!String(decoding: clean, as: UTF8.self).contains("52.52"))
        #expect(String(decoding: clean, as: UTF8.self).contains("Sea"))
        // 18 characters of text, and the name of the checksum.
        #expect(zip(clean, file).filter { $0 != $1 }.count == 19)
        let again = try #require(MediaScan(MemorySource(clean)))
        #expect(again.facts.place == nil && again.facts.fault == nil)
    }

    @Test("A WebM video without a place is given byte for byte") func unplaced() throws {
        let file = Self.file(tags: Self.tags("COMMENT", "+52.5200+013.4050/"))
        #expect(PlaceRemoval.withoutPlace(file) == file)
    }

    @Test("Tags that nest without end, or are more than any video has, are uncertain") func endlessTags() throws {
        func nested(_ depth: Int) -> [UInt8] { depth == 0 ? [] : Self.element(0x67C8, nested(depth - 1)) }
        let many = Self.element(0x7373, (0..<999).flatMap { _ in Self.element(0xEC, []) })
        for tags in [
            Self.element(0x7373, nested(20)), (0..<20).flatMap { _ in many },
            Self.element(0x7373, (0..<2000).flatMap { _ in Self.element(0x67C8, []) }),
        ] {
            let scan = try #require(MediaScan(MemorySource(Self.file(tags: Self.element(0x1254_C367, tags)))))
            #expect(scan.facts.fault == .limit && !scan.removal.isCertain)
            #expect(scan.facts.size?.width == 320)
        }
    }
}
