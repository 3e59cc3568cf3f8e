import CloudMedia
import CloudModel
import Testing

struct HostileTests {
    private static let mutations = 2_000

    /// Files of each kind whose heads are mutated.
    static let heads: [SampleHeads] = {
        let named = PlaceTests.common
        func files(_ words: String...) -> [[UInt8]] {
            named.filter { file in words.contains { file.name.contains($0) } }.map(\.bytes)
        }
        let map = (
            type: "hvc1", contents: [UInt8](repeating: 1, count: 8),
            properties: [Bytes.full("auxC", Bytes.text("urn:com:apple:photo:2020:aux:hdrgainmap\u{0}"))]
        )
        return [
            SampleHeads("JPEG", files("JPEG", "motion", "Samsung")), SampleHeads("PNG", files("PNG")),
            SampleHeads("WebP", files("WebP")),
            SampleHeads(
                "HEIC and AVIF",
                files("HEIC", "AVIF") + [Samples.still(Samples.Still(properties: [Samples.nclx(9, 16)], items: [map]))]
            ),
            SampleHeads("MP4 and QuickTime", files("QuickTime", "MP4")),
            SampleHeads("WebM", [WebMTests.file(transfer: 16), WebMTests.file(transfer: 18, isOpen: true)]),
            SampleHeads("TIFF and raw files", FormatSamples.tiff.map(\.bytes)),
            SampleHeads("GIF", [FormatSamples.gif(xmp: Array(Samples.placePacket.utf8)), FormatSamples.gif()]),
            SampleHeads("JPEG XL and JPEG 2000", FormatSamples.boxes.map(\.bytes)),
            SampleHeads("PSD, RAF, sounds and RIFF", FormatSamples.others.map(\.bytes)),
        ]
    }()

    @Test("2,000 mutated heads of each kind are read within their bounds", .timeLimit(.minutes(5)), arguments: heads)
    func mutated(heads: SampleHeads) {
        let files = heads.files
        var random = SeededGenerator(seed: 37)
        let limits = ReadLimits(reads: 200, bytes: 256 << 10)
        var known = 0
        for number in 0..<Self.mutations {
            let bytes = random.mutated(files[number % files.count])
            let source = StrictSource(bytes)
            guard let scan = MediaScan(source, limits: limits) else { continue }
            known += 1
            let isBounded = scan.reads <= limits.reads && scan.bytesRead <= limits.bytes && source.isRespected
            let isInside = scan.removal.patches.allSatisfy { $0.at >= 0 && $0.at + $0.bytes.count <= bytes.count }
            #expect(isBounded && isInside, "mutation \(number)")
            guard scan.removal.isCertain else { continue }
            var clean = bytes
            scan.removal.apply(to: &clean)
            #expect(MediaScan(MemorySource(clean))?.facts.place == nil, "mutation \(number)")
        }
        #expect(known > Self.mutations / 2)
    }

    @Test("A file cut off anywhere is read as far as it goes", arguments: heads)
    func cutOff(heads: SampleHeads) throws {
        let files = heads.files
        for file in files {
            for count in 0..<file.count {
                let source = StrictSource(Array(file.prefix(count)))
                let scan = MediaScan(source)
                #expect(source.isRespected)
                if let size = scan?.facts.size { #expect(size.pixels == 120_000 || size.pixels == 2_073_600) }
            }
        }
    }

    @Test("Directories that refer to themselves or each other end") func loops() throws {
        let exif = Exif().bytes
        let count = 4
        var looped = exif
        // The main directory follows itself.
        looped.replaceSubrange(10 + count * 12..<14 + count * 12, with: Bytes.big(8, 4))
        let scan = try #require(
            MediaScan(MemorySource(Samples.jpeg([Samples.segment(0xE1, Bytes.text("Exif\u{0}\u{0}") + looped)]))))
        #expect(scan.facts.fault == .broken && scan.facts.size == ImageSize(width: 400, height: 300))
        #expect(!scan.removal.isCertain)
        let pointing: [Tag] = [.long(0x8769, 8), .long(0x8825, 8)]
        let pointer = Bytes.text("MM\u{0}*") + Bytes.big(8, 4) + Exif.directory(pointing, at: 8)
        #expect(
            try #require(MediaScan(MemorySource(Samples.png([Samples.chunk("eXIf", pointer)])))).facts.fault == .broken)
    }

    @Test("Boxes of length zero to seven, and boxes deep inside each other, end", arguments: 0...7)
    func boxes(length: Int) throws {
        let head = Bytes.box("ftyp", Bytes.text("isom"), Bytes.big(0, 4))
        let many = (0..<10_000).flatMap { _ in Bytes.big(length, 4) + Bytes.text("moov") }
        let scan = try #require(MediaScan(MemorySource(head + many)))
        #expect(scan.reads <= ReadLimits().reads && scan.facts.size == nil && scan.facts.fault != nil)
        let deep = (0..<2000).reduce(into: [UInt8]()) { inner, _ in inner = Bytes.box("moov", inner) }
        #expect(try #require(MediaScan(MemorySource(head + deep))).facts.fault == .broken)
    }

    @Test("A picture that lies about its size has none") func sizes() throws {
        let files = [
            Samples.jpeg(width: 0), Samples.png(width: Int(Int32.max), height: Int(Int32.max)), Samples.png(height: 0),
            Samples.still(Samples.Still(properties: [Bytes.full("ispe", Bytes.big(-1, 4), Bytes.big(-1, 4))])),
        ]
        for file in files {
            let facts = try #require(MediaScan(MemorySource(file))).facts
            #expect(facts.fault == .broken)
            #expect(facts.size == nil || facts.size == ImageSize(width: 400, height: 300))
        }
    }

    @Test("A file of endless parts stops at the limits", arguments: [ReadLimits(reads: 10), ReadLimits(bytes: 20_000)])
    func limits(limits: ReadLimits) throws {
        let chunk = Samples.chunk("IDAT", [UInt8](repeating: 0, count: 5000))
        let png = Samples.png((0..<1000).map { _ in chunk })
        let scan = try #require(MediaScan(MemorySource(png), limits: limits))
        #expect(scan.reads <= limits.reads && scan.bytesRead <= limits.bytes)
        #expect(scan.facts.fault == .limit && scan.facts.size == ImageSize(width: 400, height: 300))
        #expect(!scan.removal.isCertain)
    }

    @Test("Many items of the same bytes, and many positions, stop at the limits") func repetition() throws {
        let packet = Array(Samples.packet(content: String(repeating: "<a/>", count: 200_000)).utf8)
        let first = (type: "mime", contents: packet, properties: [[UInt8]]())
        let more = [(type: String, contents: [UInt8], properties: [[UInt8]])](repeating: first, count: 8)
        let still = try #require(MediaScan(MemorySource(Samples.still(Samples.Still(items: more)))))
        #expect(still.facts.fault == .limit && !still.removal.isCertain)
        let places = (0..<100).map { Tag.rational($0 + 100, (1, 1)) }
        let exif = try #require(MediaScan(MemorySource(Samples.png([Samples.chunk("eXIf", Exif(gps: places).bytes)]))))
        #expect(exif.facts.fault == .limit && !exif.removal.isCertain)
        let fill = [UInt8](repeating: 0xFF, count: 1 << 20)
        #expect(try #require(MediaScan(MemorySource([0xFF, 0xD8] + fill))).facts.fault == .limit)
    }

    @Test("XMP text of a PNG that ends inside its head is broken") func shortText() throws {
        let whole = Bytes.text("XML:com.adobe.xmp\u{0}") + [0, 0, 0, 0]
        for count in 18...whole.count {
            let scan = try #require(
                MediaScan(MemorySource(Samples.png([Samples.chunk("iTXt", Array(whole.prefix(count)))]))))
            #expect(scan.removal.isCertain == (count == whole.count))
        }
    }

    @Test("A source that fails is told from a broken file") func unreadable() throws {
        #expect(MediaScan(FailingSource()) == nil)
        let facts = try #require(MediaScan(FailingSource(readable: 4096))).facts
        #expect(facts.fault == .unreadable)
    }

    @Test(
        "Files of other kinds are none",
        arguments: ["", "OggS", "<svg xmlns=", "MMORPG at eight", "\u{FF}\n jxl", "%PDF-1.7"])
    func others(head: String) {
        #expect(MediaScan(MemorySource(Bytes.text(head))) == nil)
    }
}

/// Notes reads outside the bytes.
private final class StrictSource: ByteSource {
    private let bytes: [UInt8]
    private(set) var isRespected = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func read(_ range: Range<Int>) -> [UInt8] {
        isRespected = isRespected && range.lowerBound >= 0 && range.upperBound <= bytes.count
        return Array(bytes[range.clamped(to: 0..<bytes.count)])
    }
}

/// Fails behind its first bytes.
private struct FailingSource: ByteSource {
    struct Failure: Error {}

    var readable = 0
    private let file = Samples.jpeg([Samples.segment(0xE0, [UInt8](repeating: 0, count: 6000))])

    init(readable: Int = 0) { self.readable = readable }

    var count: Int { file.count }

    func read(_ range: Range<Int>) throws -> [UInt8] {
        guard range.upperBound <= readable else { throw Failure() }
        return Array(file[range])
    }
}

/// Files of one kind as an argument of tests.
struct SampleHeads: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [[UInt8]]

    init(_ name: String, _ files: [[UInt8]]) {
        self.name = name
        self.files = files
    }

    var testDescription: String { name }
}
