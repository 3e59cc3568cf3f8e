import CloudMedia
import CloudModel
import Testing

/// TIFF, raw files and other formats that cameras, phones and programs write.
struct FormatTests {
    private typealias Entry = TIFFSample.Entry

    private static let packet = Array(Samples.placePacket.utf8)

    private func scan(_ bytes: [UInt8]) throws -> MediaScan { try #require(MediaScan(MemorySource(bytes))) }

    @Test("A raw file tells camera, time, zone and the size as shown") func facts() throws {
        let details = Entry(
            0x8769,
            .directories([
                [
                    Entry(0x829D, .ratios([(18, 10)])), Entry(0x8827, .short(100)), Entry(0xA434, .text("Lens 1")),
                    Entry(0x9003, .text("2026:06:14 23:30:00")), Entry(0x9011, .text("+09:00")),
                    Entry(0x927C, .bytes(Exif.appleNote("A-B-C-D"))),
                ]
            ]))
        let thumbnail = [Entry(0x00FE, .long(1)), Entry(0x0100, .long(160)), Entry(0x0101, .long(120))]
        let inner = [
            Entry(0x00FE, .long(0)), Entry(0x0100, .long(4100)), Entry(0x0101, .long(3100)),
            Entry(0xC620, .ratios([(4032, 1), (3024, 1)])),
        ]
        let head = [Entry(0x010F, .text("Apple")), Entry(0x0110, .text("Phone 1")), Entry(0x0112, .short(6))]
        for order in ["II*\u{0}", "MM\u{0}*"] {
            let file = TIFFSample(
                head: order, pages: [thumbnail + head + [Entry(0x014A, .directories([thumbnail, inner])), details]])
            let facts = try scan(file.bytes).facts
            #expect(facts.kind == .tiff && facts.fault == nil && facts.place == nil)
            #expect(facts.size == ImageSize(width: 3024, height: 4032))
            #expect(facts.camera.make == "Apple" && facts.camera.model == "Phone 1" && facts.camera.lens == "Lens 1")
            #expect(facts.camera.aperture == 1.8 && facts.camera.sensitivity == 100)
            #expect(facts.taken?.zone == .offset(540) && facts.contentIdentifier == "A-B-C-D")
            #expect(PlaceRemoval.withoutPlace(file.bytes) == file.bytes)
        }
    }

    private static func page(_ kind: Int?, _ width: Int, _ height: Int) -> [TIFFSample.Entry] {
        (kind.map { [Entry(0x00FE, .long($0))] } ?? []) + [Entry(0x0100, .short(width)), Entry(0x0101, .long(height))]
    }

    @Test(
        "The size of a TIFF is that of the first page, unless it is a smaller one of a larger picture",
        arguments: [
            ([page(nil, 40, 30), page(nil, 400, 300)], [], 40, 30),
            ([page(1, 40, 30), page(0, 400, 300)], [], 400, 300),
            ([page(1, 40, 30)], [page(1, 200, 100), page(0, 400, 300), page(4, 800, 600)], 400, 300),
            ([page(1, 40, 30)], [page(1, 200, 100)], 200, 100),
            ([page(0, 40, 30)], [page(0, 400, 300)], 40, 30),
        ] as [([[TIFFSample.Entry]], [[TIFFSample.Entry]], Int, Int)])
    func sizes(pages: [[TIFFSample.Entry]], inner: [[TIFFSample.Entry]], width: Int, height: Int) throws {
        var pages = pages
        if !inner.isEmpty { pages[0].append(Entry(0x014A, .directories(inner))) }
        #expect(try scan(TIFFSample(pages: pages).bytes).facts.size == ImageSize(width: width, height: height))
    }

    @Test("A file of 200 pages is read, one whose pages go around is not certain") func pages() throws {
        var bytes = TIFFSample(pages: (0..<200).map { _ in TIFFSample.size }).bytes
        #expect(PlaceRemoval.withoutPlace(bytes) == bytes)
        // The last directory ends the file.
        bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: Bytes.big(8, 4))
        #expect(try scan(bytes).facts.fault == .broken && !scan(bytes).removal.isCertain)
        let many = TIFFSample(pages: (0..<1001).map { _ in TIFFSample.size }).bytes
        #expect(try scan(many).facts.fault == .limit && !scan(many).removal.isCertain)
    }

    @Test("Directories that name a million others, or each other, end") func manyDirectories() throws {
        let positions = Entry(0x014A, .directories([[TIFFSample.Entry]](repeating: [], count: 1000)))
        let many = TIFFSample(pages: [TIFFSample.size + [Entry](repeating: positions, count: 20)]).bytes
        let scan = try scan(many)
        #expect(scan.facts.fault == .limit && !scan.removal.isCertain && scan.reads <= ReadLimits().reads)
        let inward = TIFFSample(pages: [TIFFSample.size + [Entry(0x014A, .long(8))]]).bytes
        #expect(try self.scan(inward).facts.fault == .broken && !self.scan(inward).removal.isCertain)
    }

    @Test("Two pages may share the directory of their place") func sharedDirectory() throws {
        var bytes = TIFFSample(
            pages: [TIFFSample.size + [TIFFSample.berlin], TIFFSample.size + [Entry(0x8825, .long(0))]]
        ).bytes
        let entry = Bytes.big(0x8825, 2) + Bytes.big(4, 2) + Bytes.big(1, 4)
        let first = try #require(bytes.firstRange(of: entry)).upperBound
        let second = try #require(bytes[first...].firstRange(of: entry)).upperBound
        bytes.replaceSubrange(second..<second + 4, with: bytes[first..<first + 4])
        let clean = try #require(PlaceRemoval.withoutPlace(bytes))
        #expect(try scan(bytes).facts.place != nil && scan(clean).facts.place == nil)
    }

    @Test("A place whose values lie before it, far away or among what has to stay") func positions() throws {
        let file = TIFFSample(pages: [TIFFSample.size + [TIFFSample.details, TIFFSample.berlin]]).bytes
        let values = Bytes.big(2, 2) + Bytes.big(5, 2) + Bytes.big(3, 4)
        let entry = try #require(file.firstRange(of: values)).upperBound
        var overlapping = file
        overlapping.replaceSubrange(entry..<entry + 4, with: Bytes.big(10, 4))
        #expect(try !scan(overlapping).removal.isCertain)
        var outside = file
        outside.replaceSubrange(entry..<entry + 4, with: Bytes.big(file.count - 4, 4))
        #expect(try !scan(outside).removal.isCertain && scan(outside).facts.size?.width == 400)
        var far = file + [UInt8](repeating: 0, count: 20 << 20)
        far += (0..<3).flatMap { _ in Bytes.big(7, 4) + Bytes.big(1, 4) }
        far.replaceSubrange(entry..<entry + 4, with: Bytes.big(far.count - 24, 4))
        let found = try scan(far)
        #expect(found.removal.isCertain && found.removal.patches.last?.at == far.count - 24)
        #expect(found.bytesRead < 100_000)
    }

    private static let directories: [SampleFile] = [
        SampleFile("BigTIFF", Bytes.text("II+\u{0}") + [8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0]),
        SampleFile("a TIFF without its directory", Bytes.text("II*\u{0}") + Bytes.little(5000, 4)),
        page("a map in a TIFF", Entry(0x8482, .ratios([(1, 1)]))),
        page("directories behind the end", Entry(0x014A, .long(1 << 20))),
        page("XMP behind the end", Entry(0x02BC, .bytes(packet)), cut: 10),
        page(
            "records in another order of bytes",
            Entry(0x83BB, .bytes(Array(FormatSamples.records.prefix(8).reversed())))),
        page("a broken preview", Entry(0x0201, .apart([0xFF, 0xD8, 0xFF, 0xE1, 9, 9]))),
    ]

    private static func page(_ name: String, _ entry: TIFFSample.Entry, cut: Int = 0) -> SampleFile {
        SampleFile(name, Array(TIFFSample(pages: [TIFFSample.size + [entry]]).bytes.dropLast(cut)))
    }

    private static let pictures: [SampleFile] = [
        SampleFile("XMP of a GIF without its end", FormatSamples.gif(("XMP DataXMP", [3, 60, 61, 62, 0]))),
        SampleFile("IPTC in a GIF", FormatSamples.gif(("MGKIPTC0000", [2, 28, 2, 0]))),
        SampleFile("bytes behind a GIF", FormatSamples.gif() + [7]),
        SampleFile("compressed boxes", FormatSamples.jpegXL(Bytes.box("brob", Bytes.text("Exif")))),
        SampleFile("parts of a JPEG in JPEG XL", FormatSamples.jpegXL(Bytes.box("jbrd", [7, 7]))),
        SampleFile("statements in JPEG XL", FormatSamples.jpegXL(Bytes.box("jumb", [7, 7]))),
        SampleFile("a map in JPEG 2000", FormatSamples.jpeg2000(Bytes.box("uuid", Bytes.big(1, 8), Bytes.big(2, 8)))),
        SampleFile("text in JPEG 2000", FormatSamples.jpeg2000(Bytes.box("xml ", packet))),
        SampleFile("broken resources", FormatSamples.photoshop(Bytes.text("8BIM") + [4, 4, 0, 0, 0, 0, 9, 9])),
    ]

    private static let cameras: [SampleFile] = [
        SampleFile("a RAF without its picture", Array(FormatSamples.fujifilm(Samples.jpeg()).prefix(120))),
        SampleFile("CR3", Bytes.box("ftyp", Bytes.text("crx "), Bytes.big(1, 4)) + Bytes.box("moov", Bytes.big(1, 8))),
        SampleFile("CRW", Bytes.text("II") + Bytes.little(26, 4) + Bytes.text("HEAPCCDR")),
        SampleFile("X3F", Bytes.text("FOVb\u{2}\u{0}\u{2}\u{0}")),
        SampleFile("MRW", Bytes.text("\u{0}MRM") + Bytes.big(9, 4)),
        SampleFile("notes of a maker in an AVI", Samples.riff([("LIST", notes)], form: "AVI ")),
        SampleFile("notes of a camera in a transport stream", transport("MDPM")),
    ]

    private static let notes = Bytes.text("ncdtnctg") + Bytes.little(0, 4)

    static let uncertain = directories + pictures + cameras

    /// - Parameter note: stands among the pictures.
    private static func transport(_ note: String) -> [UInt8] {
        var file: [UInt8] = []
        for number in 0..<4000 {
            file += Bytes.big(number, 4) + [0x47]
            file += number == 500 ? Bytes.text(note) : [1, 2, 3, 4]
            file += [UInt8](repeating: 0, count: 183)
        }
        return file
    }

    @Test("A file whose place cannot be told for sure is not cleaned", arguments: uncertain)
    func unsure(file: SampleFile) throws {
        let scan = try scan(file.bytes)
        #expect(!scan.removal.isCertain && scan.hasMetadata)
        #expect(PlaceRemoval.withoutPlace(file.bytes) == nil)
    }

    static let plain: [SampleFile] = [
        SampleFile("TIFF", TIFFSample(pages: [TIFFSample.size + [TIFFSample.details]]).bytes),
        SampleFile("GIF", FormatSamples.gif()), SampleFile("GIF without colors", FormatSamples.gif(flags: 0)),
        SampleFile("GIF that loops", FormatSamples.gif(("NETSCAPE2.0", [3, 1, 0, 0, 0]))),
        SampleFile("GIF without its end", Array(FormatSamples.gif().dropLast())),
        SampleFile("GIF that ends in its pixels", Array(FormatSamples.gif().dropLast(5))),
        SampleFile("JPEG XL", FormatSamples.jpegXL()), SampleFile("JPEG 2000", FormatSamples.jpeg2000()),
        SampleFile("PSD", FormatSamples.photoshop([])), SampleFile("RAF", FormatSamples.fujifilm(Samples.jpeg())),
        SampleFile("M4A", FormatSamples.sound([])),
        SampleFile("AVI", Samples.riff([FormatSamples.frames], form: "AVI ")),
        SampleFile("WAV that ends early", Array(Samples.riff([("data", [1, 2, 3, 4])], form: "WAVE").dropLast(2))),
        SampleFile("transport stream", transport("none")),
    ]

    @Test("A file without a place stays as it is", arguments: plain) func nothing(file: SampleFile) throws {
        #expect(try scan(file.bytes).removal.patches.isEmpty)
        #expect(PlaceRemoval.withoutPlace(file.bytes) == file.bytes)
    }

    @Test("Blanks in the XMP of a GIF lead readers of its parts to the same end") func gifParts() throws {
        let file = FormatSamples.gif(xmp: Self.packet)
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        let start = try #require(file.firstRange(of: Bytes.text("XMP DataXMP"))).upperBound
        for bytes in [file, clean] {
            var at = start
            while bytes[at] != 0 { at += 1 + Int(bytes[at]) }
            #expect(at + 1 == start + Self.packet.count + FormatSamples.trailer.count)
        }
        #expect(try scan(clean).facts.size == ImageSize(width: 400, height: 300))
    }

    @Test("A movie without a type in front, as older cameras write it, loses its place") func oldMovie() throws {
        let movie = Samples.movie(Samples.Movie(userData: FormatSamples.position))
        let file = Array(movie[20...])
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        #expect(try scan(file).facts.place != nil && scan(clean).facts.place == nil)
        #expect(clean.firstRange(of: Bytes.text("+52.5")) == nil)
        let text = Bytes.text("The free software\n")
        #expect(try !scan(text).hasMetadata)
    }

    @Test("Notes of a recorder of sounds lose their place") func notes() throws {
        let notes = "<BWFXML><NOTE>Lake</NOTE><LOCATION><LOCATION_NAME>Berlin</LOCATION_NAME></LOCATION></BWFXML>"
        let file = Samples.riff([("fmt ", [1, 0]), ("iXML", Bytes.text(notes))], form: "WAVE")
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        #expect(clean.firstRange(of: Bytes.text("Berlin")) == nil && clean.firstRange(of: Bytes.text("Lake")) != nil)
    }
}
