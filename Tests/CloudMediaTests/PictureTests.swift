import CloudMedia
import CloudModel
import Testing

struct PictureTests {
    private static let standing = ImageSize(width: 300, height: 400)
    private static let lying = ImageSize(width: 400, height: 300)

    private func facts(_ bytes: [UInt8]) throws -> MediaFacts { try #require(MediaScan(MemorySource(bytes))).facts }

    @Test("The size of a JPEG, PNG and WebP is that after the orientation of EXIF", arguments: 0...9)
    func orientation(value: Int) throws {
        let exif = Exif(orientation: value)
        let files = [
            Samples.jpeg([Samples.exif(exif)]), Samples.png([Samples.chunk("eXIf", exif.bytes)]),
            Samples.webp([("EXIF", exif.bytes)]), Samples.webp([("EXIF", Bytes.text("Exif\u{0}\u{0}") + exif.bytes)]),
        ]
        for file in files {
            let facts = try facts(file)
            #expect(facts.size == ((5...8).contains(value) ? Self.standing : Self.lying))
            #expect(facts.fault == nil)
        }
    }

    @Test("HEIC and AVIF are turned by their own property, not by EXIF", arguments: 0...3)
    func rotation(turns: Int) throws {
        let exif = (type: "Exif", contents: Bytes.big(0, 4) + Exif(orientation: 6).bytes, properties: [[UInt8]]())
        for (brand, type, kind) in [("heic", "hvc1", MediaKind.heic), ("avif", "av01", .avif)] {
            let facts = try facts(
                Samples.still(Samples.Still(brand: brand, type: type, items: [exif], rotation: turns)))
            #expect(facts.size == (turns % 2 == 1 ? Self.standing : Self.lying))
            #expect(facts.kind == kind && facts.codec == type && facts.fault == nil)
            #expect(facts.taken?.zone == .offset(540) && facts.camera.model == "Camera 1")
        }
    }

    @Test("A clean aperture is the size that is shown") func aperture() throws {
        let values = [390, 1, 290, 1, 0, 1, 0, 1].flatMap { Bytes.big($0, 4) }
        let facts = try facts(Samples.still(Samples.Still(properties: [Bytes.box("clap", values)], rotation: 1)))
        #expect(facts.size == ImageSize(width: 290, height: 390))
    }

    @Test("The size of a WebP without a canvas is that of its bitstream") func plainWebP() throws {
        for (chunk, codec) in [(Samples.vp8, "VP8 "), (Samples.vp8l, "VP8L")] {
            let facts = try facts(Samples.riff([chunk]))
            #expect(facts.size == Self.lying && facts.codec == codec && facts.fault == nil)
        }
    }

    @Test("EXIF behind the pixels of a PNG of 16 MB is found") func lateExif() throws {
        let pixels = Samples.chunk("IDAT", [UInt8](repeating: 0, count: 8192))
        let chunks = [[UInt8]](repeating: pixels, count: 2000) + [Samples.chunk("eXIf", Exif(orientation: 6).bytes)]
        let scan = try #require(MediaScan(MemorySource(Samples.png(chunks))))
        #expect(scan.facts.size == Self.standing && scan.facts.fault == nil)
        #expect(scan.reads <= 2010)
    }

    @Test("A progressive JPEG is told from a baseline one, up to 200 megapixels") func progressive() throws {
        for progressive in [false, true] {
            let facts = try facts(Samples.jpeg(width: 16_320, height: 12_240, progressive: progressive))
            #expect(facts.isProgressive == progressive)
            #expect(facts.size?.pixels == 199_756_800)
        }
    }

    @Test("Camera, exposure and Apple's content identifier come from EXIF") func camera() throws {
        let identifier = "6B7A1D1E-2F3C-4A5B-8C6D-7E8F90A1B2C3"
        let facts = try facts(Samples.jpeg([Samples.exif(Exif(note: Exif.appleNote(identifier)))]))
        #expect(facts.camera.make == "Acme" && facts.camera.exposure == 1 / 250 && facts.camera.sensitivity == 100)
        #expect(facts.contentIdentifier == identifier)
    }

    @Test("Colour profiles are told by their names and code points") func color() throws {
        func icc(_ name: String) -> [UInt8] {
            let text = Bytes.text("desc") + Bytes.big(0, 4) + Bytes.big(name.utf8.count + 1, 4) + Bytes.text(name) + [0]
            return [UInt8](repeating: 0, count: 128) + Bytes.big(1, 4) + Bytes.text("desc") + Bytes.big(144, 4)
                + Bytes.big(text.count, 4) + text
        }
        let names: [(String, ColorProfile)] = [
            ("Display P3", .displayP3), ("sRGB IEC61966-2.1", .sRGB), ("Adobe RGB (1998)", .adobeRGB), ("Mine", .other),
        ]
        for (name, expected) in names {
            let segment = Samples.segment(0xE2, Bytes.text("ICC_PROFILE\u{0}\u{1}\u{1}") + icc(name))
            #expect(try facts(Samples.jpeg([segment])).color == expected)
            #expect(try facts(Samples.webp([("ICCP", icc(name))])).color == expected)
            let box = Bytes.box("colr", Bytes.text("prof"), icc(name))
            #expect(try facts(Samples.still(Samples.Still(properties: [box]))).color == expected)
        }
        #expect(try facts(Samples.png([Samples.chunk("cICP", [12, 13, 0, 1])])).color == .displayP3)
        #expect(
            try facts(Samples.png([Samples.chunk("iCCP", Bytes.text("Display P3\u{0}\u{0}x"))])).color == .displayP3)
    }

    @Test("PQ and HLG are told by code points, in pictures and videos") func codePoints() throws {
        for (transfer, kind) in [(16, HDRKind.pq), (18, .hlg), (13, .standard)] {
            let box = Samples.nclx(9, transfer)
            #expect(try facts(Samples.still(Samples.Still(brand: "avif", properties: [box]))).hdr == kind)
            #expect(try facts(Samples.png([Samples.chunk("cICP", [9, UInt8(transfer), 0, 1])])).hdr == kind)
            let movie = try facts(Samples.movie(Samples.Movie(entry: box, coding: "hvc1")))
            #expect(movie.hdr == kind && movie.color == .rec2020)
        }
    }

    @Test("Each kind of gain map is told") func gainMaps() throws {
        let hdrgm = Samples.packet(attributes: "hdrgm:Version='1.0'")
        #expect(try facts(Samples.jpeg([Samples.xmp(hdrgm)])).hdr == .gainMap(.ultraHDR))
        let iso = Samples.segment(0xE2, Bytes.text("urn:iso:std:iso:ts:21496:-1\u{0}") + [0, 0, 0, 0])
        #expect(try facts(Samples.jpeg([iso])).hdr == .gainMap(.iso))
        let tmap = (type: "tmap", contents: [UInt8](repeating: 0, count: 8), properties: [[UInt8]]())
        #expect(try facts(Samples.still(Samples.Still(items: [tmap]))).hdr == .gainMap(.toneMap))
        let auxiliary = Bytes.full("auxC", Bytes.text("urn:com:apple:photo:2020:aux:hdrgainmap\u{0}"))
        let map = (type: "hvc1", contents: [UInt8](repeating: 0, count: 8), properties: [auxiliary])
        #expect(try facts(Samples.still(Samples.Still(items: [map]))).hdr == .gainMap(.apple))
    }

    @Test("A gain map in the second picture of a multi-picture file is told") func secondPicture() throws {
        let second = Samples.jpeg([Samples.xmp(Samples.packet(attributes: "HDRGainMap:HDRGainMapVersion='65536'"))])
        #expect(try facts(MultiPicture.file(second)).hdr == .gainMap(.apple))
    }

    @Test("Extended XMP is put together from its parts") func extendedXMP() throws {
        let packet = Array(Samples.packet(attributes: "hdrgm:Version='1.0'").utf8)
        let cut = packet.count / 2
        func part(_ range: Range<Int>) -> [UInt8] {
            Samples.segment(
                0xE1,
                Bytes.text("http://ns.adobe.com/xmp/extension/\u{0}") + Bytes.text(String(repeating: "A", count: 32))
                    + Bytes.big(packet.count, 4) + Bytes.big(range.lowerBound, 4) + packet[range])
        }
        let whole = try facts(Samples.jpeg([part(cut..<packet.count), part(0..<cut)]))
        #expect(whole.hdr == .gainMap(.ultraHDR) && whole.fault == nil)
        let half = try facts(Samples.jpeg([part(0..<cut)]))
        #expect(half.hdr == .standard && half.fault == .broken && half.size == Self.lying)
    }

    @Test("The video of a motion photo is found, in each of its notations") func motion() throws {
        let video = Samples.movie(Samples.Movie(brand: "mp42"))
        let container = Samples.packet(
            attributes: "Camera:MotionPhoto='1'",
            content: Samples.container([("Primary", 0), ("MotionPhoto", video.count)]))
        let old = Samples.packet(attributes: "GCamera:MicroVideo='1' GCamera:MicroVideoOffset='\(video.count)'")
        for packet in [container, old] {
            let picture = Samples.jpeg([Samples.xmp(packet)])
            let facts = try facts(picture + video)
            #expect(facts.motion == picture.count..<picture.count + video.count && facts.fault == nil)
        }
        let still = Samples.still(Samples.Still())
        #expect(
            try facts(still + Bytes.box("mpvd", video)).motion
                == still.count + 8..<still.count + 8 + video.count)
        #expect(try facts(Samples.samsung(video)).motion?.count == video.count)
    }

    @Test("A motion photo whose length is a lie has no video") func falseMotion() throws {
        for length in [1, 40, 1 << 40, -5, .min, .max] {
            let old = Samples.packet(attributes: "GCamera:MicroVideo='1' GCamera:MicroVideoOffset='\(length)'")
            #expect(try facts(Samples.jpeg([Samples.xmp(old)])).motion == nil)
            let packet = Samples.packet(
                attributes: "Camera:MotionPhoto='1'", content: Samples.container([("MotionPhoto", length)]))
            let scan = try #require(MediaScan(MemorySource(Samples.jpeg([Samples.xmp(packet)]) + [1, 2, 3])))
            #expect(scan.facts.motion == nil && scan.facts.size == Self.lying)
        }
    }
}
