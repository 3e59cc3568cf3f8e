import CloudMedia
import CloudModel
import Testing

struct PlaceTests {
    private static let identifier = "6B7A1D1E-2F3C-4A5B-8C6D-7E8F90A1B2C3"
    private static let located = Exif(orientation: 6, gps: Exif.berlin, note: Exif.appleNote(identifier))
    private static let video = Samples.movie(
        Samples.Movie(
            brand: "mp42",
            userData: Bytes.box(
                "\u{A9}xyz", Bytes.big(18, 2), Bytes.big(0x15C7, 2), Bytes.text("+52.5000+013.4000/"))))

    /// Files with a place: where the text stands in each.
    static let files = common + FormatSamples.placed

    /// Those of the common formats.
    static let common: [SampleFile] = [
        SampleFile("EXIF in JPEG", Samples.jpeg([Samples.exif(located)])),
        SampleFile("XMP in JPEG", Samples.jpeg([Samples.xmp(Samples.placePacket)])),
        SampleFile("EXIF in PNG", Samples.png([Samples.chunk("eXIf", located.bytes)])),
        SampleFile("XMP in PNG", Samples.png([Samples.chunk("iTXt", itxt(Samples.placePacket))])),
        SampleFile("EXIF in WebP", Samples.webp([("EXIF", located.bytes)])),
        SampleFile("XMP in WebP", Samples.webp([("XMP ", Array(Samples.placePacket.utf8))])),
        SampleFile("EXIF in HEIC", Samples.still(still("Exif", Bytes.big(0, 4) + located.bytes))),
        SampleFile("XMP in AVIF", Samples.still(still("mime", Array(Samples.placePacket.utf8), brand: "avif"))),
        SampleFile(
            "keys of a QuickTime movie",
            Samples.movie(Samples.Movie(keys: [("com.apple.quicktime.location.ISO6709", "+52.5000+013.4000+034.100/")]))
        ),
        SampleFile("user data of an MP4", video),
        SampleFile("second picture of a JPEG", MultiPicture.file(Samples.jpeg([Samples.exif(located)]))),
        SampleFile("video of a motion photo", motion(video)),
        SampleFile("video of a HEIC", Samples.still(Samples.Still()) + Bytes.box("mpvd", video)),
        SampleFile("video in Samsung's trailer", Samples.samsung(video)),
    ]

    private static func itxt(_ packet: String) -> [UInt8] {
        Bytes.text("XML:com.adobe.xmp\u{0}") + [0, 0, 0, 0] + Array(packet.utf8)
    }

    private static func still(_ type: String, _ contents: [UInt8], brand: String = "heic") -> Samples.Still {
        Samples.Still(brand: brand, items: [(type: type, contents: contents, properties: [])])
    }

    private static func motion(_ video: [UInt8]) -> [UInt8] {
        let directory = Samples.container([("Primary", 0), ("MotionPhoto", video.count)])
        return Samples.jpeg([
            Samples.xmp(Samples.packet(attributes: "Camera:MotionPhoto='1'", content: directory))
        ]) + video
    }

    private func scan(_ bytes: [UInt8]) throws -> MediaScan { try #require(MediaScan(MemorySource(bytes))) }

    @Test("A place is found in every part of a file, and told only when asked for", arguments: files)
    func found(file: SampleFile) throws {
        let bytes = file.bytes
        let facts = try scan(bytes).facts
        let place = try #require(facts.place)
        #expect(abs(place.reveal().latitude - 52.5) < 1e-9 && abs(place.reveal().longitude - 13.4) < 1e-9)
        var dumped = ""
        dump(facts, to: &dumped)
        for text in ["\(facts)", String(reflecting: facts), dumped] { #expect(!text.contains("52.5")) }
    }

    @Test("A file without its place has the same length and tells all else", arguments: files)
    func removed(file: SampleFile) throws {
        let bytes = file.bytes
        let (before, clean) = (try scan(bytes), try #require(PlaceRemoval.withoutPlace(bytes)))
        let after = try scan(clean)
        #expect(clean.count == bytes.count && after.facts.place == nil && after.facts.fault == nil)
        #expect(after.facts.size == before.facts.size && after.facts.taken == before.facts.taken)
        #expect(after.facts.contentIdentifier == before.facts.contentIdentifier)
        #expect(after.facts.camera == before.facts.camera && after.facts.hdr == before.facts.hdr)
        let patched = Set(before.removal.patches.flatMap { $0.at..<$0.at + $0.bytes.count })
        #expect(bytes.indices.allSatisfy { patched.contains($0) || bytes[$0] == clean[$0] })
        for text in ["Berlin", "52,30", "+52.5", "013.4"] {
            #expect(clean.firstRange(of: Bytes.text(text)) == nil)
        }
    }

    @Test("Parts of a file are cleaned on their own, as ranges are sent", arguments: files)
    func ranges(file: SampleFile) throws {
        let bytes = file.bytes
        let removal = try scan(bytes).removal
        let whole = try #require(PlaceRemoval.withoutPlace(bytes))
        for length in [1, 7, 100] {
            var parts: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                var part = Array(bytes[start..<min(start + length, bytes.count)])
                removal.apply(to: &part, at: start)
                parts += part
            }
            #expect(parts == whole)
        }
    }

    @Test("Exactly the directory of the place and its values are overwritten in EXIF") func exact() throws {
        let removal = try scan(Samples.jpeg([Samples.exif(Self.located)])).removal
        // Six entries; three values of 24 bytes, one of 11.
        #expect(removal.patches.map(\.bytes.count).sorted() == [11, 24, 24, 24, 2 + 6 * 12])
        #expect(removal.patches.allSatisfy { $0.bytes.allSatisfy { $0 == 0 } })
    }

    @Test("A PNG without its place has right checksums") func checksums() throws {
        for bytes in Self.files.filter({ $0.name.hasSuffix("PNG") }).map(\.bytes) {
            let clean = try #require(PlaceRemoval.withoutPlace(bytes))
            var at = 8
            while at < clean.count {
                let length = clean[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
                let sum = Bytes.big(Int(Samples.checksum(Array(clean[at + 4..<at + 8 + length]))), 4)
                #expect(Array(clean[at + 8 + length..<at + 12 + length]) == sum)
                at += 12 + length
            }
        }
    }

    @Test("Extended XMP loses its place though a part ends inside the value") func extendedXMP() throws {
        let packet = Array(Samples.placePacket.utf8)
        let cut = try #require(packet.firstRange(of: Array("52,30".utf8))).lowerBound + 2
        let parts = [0..<cut, cut..<packet.count].map { range in
            Samples.segment(
                0xE1,
                Bytes.text("http://ns.adobe.com/xmp/extension/\u{0}") + Bytes.text(String(repeating: "B", count: 32))
                    + Bytes.big(packet.count, 4) + Bytes.big(range.lowerBound, 4) + packet[range])
        }
        let clean = try #require(PlaceRemoval.withoutPlace(Samples.jpeg(parts)))
        #expect(try scan(clean).facts.place == nil)
        #expect(clean.firstRange(of: Array(",30.0N".utf8)) == nil && clean.firstRange(of: Array("Lake".utf8)) != nil)
    }

    @Test("Names of places in IPTC records are blanked, the caption stays") func iptc() throws {
        func record(_ dataset: UInt8, _ text: String) -> [UInt8] {
            [0x1C, 2, dataset] + Bytes.big(text.utf8.count, 2) + Bytes.text(text)
        }
        let records = record(90, "Berlin") + record(120, "Lake") + record(101, "Germany")
        let resource = Bytes.text("8BIM") + [4, 4, 0, 0] + Bytes.big(records.count, 4) + records
        let file = Samples.jpeg([Samples.segment(0xED, Bytes.text("Photoshop 3.0\u{0}") + resource)])
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        #expect(clean.firstRange(of: Array("Berlin".utf8)) == nil && clean.firstRange(of: Array("Germany".utf8)) == nil)
        #expect(clean.firstRange(of: Array("Lake".utf8)) != nil)
    }

    @Test("A 3GPP location becomes a free box") func loci() throws {
        let (longitude, latitude) = (Bytes.big(-13 << 16, 4), Bytes.big(52 << 16, 4))
        let box = Bytes.full("loci", [0, 0], Bytes.text("Berlin\u{0}"), [0], longitude, latitude)
        let file = Samples.movie(Samples.Movie(userData: box))
        #expect(try scan(file).facts.place?.reveal() == Coordinate(latitude: 52, longitude: -13))
        let clean = try #require(PlaceRemoval.withoutPlace(file))
        #expect(try scan(clean).facts.place == nil)
        #expect(clean.firstRange(of: Array("loci".utf8)) == nil && clean.firstRange(of: Array("Berlin".utf8)) == nil)
    }

    @Test("A file without a place stays as it is") func nothing() throws {
        let plain = Samples.samsung(Bytes.text("1781479800000"), kind: 0x0A01)
        let padded = Samples.jpeg() + [0, 0, 0]
        for bytes in [plain, padded, Samples.jpeg(), Samples.png(), Samples.webp([]), Samples.movie(Samples.Movie())] {
            #expect(PlaceRemoval.withoutPlace(bytes) == bytes)
        }
    }

    private static let canon = Bytes.box(
        "uuid", [0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48])

    static let uncertain: [SampleFile] = [
        SampleFile("an unknown trailer", Samples.jpeg() + video),
        SampleFile("an unknown trailer behind a listed picture", MultiPicture.file(Samples.jpeg()) + video),
        SampleFile("Canon's directories", Samples.movie(Samples.Movie(tracks: canon))),
        SampleFile(
            "telemetry",
            Samples.movie(
                Samples.Movie(tracks: Bytes.box("trak", Samples.track("meta", Bytes.box("gpmd", Bytes.big(1, 8))))))),
        SampleFile(
            "a directory behind the end", Samples.jpeg([Samples.exif(Exif(gps: [.rational(2, (1, 1))]))].map(broken))),
        SampleFile(
            "compressed XMP",
            Samples.png([Samples.chunk("iTXt", Bytes.text("XML:com.adobe.xmp\u{0}") + [1, 0, 0, 0, 5])])
        ),
        SampleFile("EXIF as text", Samples.png([Samples.chunk("tEXt", Bytes.text("Raw profile type exif\u{0}4d4d"))])),
        SampleFile(
            "XMP in UTF-16",
            Samples.jpeg([Samples.segment(0xE1, Bytes.text("http://ns.adobe.com/xap/1.0/\u{0}<\u{0}x\u{0}"))])
        ),
        SampleFile("XMP that ends early", Samples.jpeg([Samples.xmp("<x:xmpmeta><exif:GPSLatitude>52,3")])),
        SampleFile(
            "a track of positions",
            Samples.movie(
                Samples.Movie(
                    tracks: Bytes.box(
                        "trak",
                        Samples.track("meta", Bytes.box("mebx", Bytes.text("com.apple.quicktime.location.ISO6709"))))))
        ),
        SampleFile("a file that ends early", Array(Samples.jpeg().dropLast(20))),
    ]

    /// Cuts the end of a segment off, whose last value lies there.
    private static func broken(_ segment: [UInt8]) -> [UInt8] {
        let body = segment[4...].dropLast(4)
        return Samples.segment(0xE1, Array(body))
    }

    @Test("A file whose place cannot be told for sure is not cleaned", arguments: uncertain)
    func unsure(file: SampleFile) throws {
        let bytes = file.bytes
        #expect(try !scan(bytes).removal.isCertain)
        #expect(PlaceRemoval.withoutPlace(bytes) == nil)
    }

    @Test("Values of a place that are also other values are left, and the removal is not certain") func shared() throws
    {
        var bytes = Samples.jpeg([Samples.exif(Self.located)])
        let date = try #require(bytes.firstRange(of: Bytes.text("2026:06:14 23:30"))).lowerBound
        let values = Bytes.big(2, 2) + Bytes.big(5, 2) + Bytes.big(3, 4)
        let entry = try #require(bytes.firstRange(of: values)).lowerBound
        bytes.replaceSubrange(entry + 8..<entry + 12, with: Bytes.big(date - 12, 4))
        let scan = try scan(bytes)
        #expect(!scan.removal.isCertain)
        #expect(scan.removal.patches.allSatisfy { !($0.at..<$0.at + $0.bytes.count).contains(date) })
    }
}

/// A file as an argument of tests, told by its name.
struct SampleFile: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    var testDescription: String { name }
}
