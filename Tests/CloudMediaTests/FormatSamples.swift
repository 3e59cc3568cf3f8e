/// Small files of rarer formats, with a place in each.
enum FormatSamples {
    typealias Entry = TIFFSample.Entry

    private static let packet = Array(Samples.placePacket.utf8)
    private static let exif = Exif(gps: Exif.berlin).bytes
    private static let photo = Samples.jpeg([Samples.exif(Exif(gps: Exif.berlin))])

    static let records: [UInt8] = {
        let city = Bytes.text("Berlin")
        return [0x1C, 2, 90] + Bytes.big(city.count, 2) + city
    }()

    static func resources(_ resources: [(id: Int, bytes: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        for resource in resources {
            bytes += Bytes.text("8BIM") + Bytes.big(resource.id, 2) + [0, 0]
            bytes += Bytes.big(resource.bytes.count, 4) + resource.bytes
            if resource.bytes.count & 1 == 1 { bytes.append(0) }
        }
        return bytes
    }

    static func tiff(_ name: String, _ head: String = "MM\u{0}*", _ pages: [Entry]...) -> SampleFile {
        SampleFile(name, TIFFSample(head: head, pages: pages).bytes)
    }

    private static let little = "II*\u{0}"
    private static let placedPage: [Entry] = size + [TIFFSample.details, TIFFSample.berlin]
    private static let size: [Entry] = TIFFSample.size
    private static let packetEntry = Entry(0x02BC, .bytes(packet))
    private static let smaller = Entry(0x00FE, .long(1))
    private static let inside = Entry(0x014A, .directories([placedPage]))
    private static let previewInside = Entry(0x014A, .directories([[], preview(0x0201, 0x0202)]))
    private static let strip: [Entry] = [Entry(0x0103, .short(6))] + preview(0x0111, 0x0117)
    private static let panasonic: [Entry] = [
        Entry(4, .short(8)), Entry(5, .short(10)), Entry(6, .short(308)), Entry(7, .short(410)),
        Entry(0x2E, .bytes(photo)), TIFFSample.berlin,
    ]

    static let tiff: [SampleFile] = [
        tiff("EXIF in TIFF", "MM\u{0}*", placedPage),
        tiff("XMP in TIFF", little, size + [packetEntry]),
        tiff("second page of a TIFF", "MM\u{0}*", size, placedPage),
        SampleFile("all parts of a DNG", dng),
        tiff("directory inside a DNG", little, [smaller, inside]),
        tiff("preview of a NEF", "MM\u{0}*", size + [previewInside]),
        tiff("picture of a CR2", little, size + strip),
        tiff("ORF", "IIRO", placedPage), tiff("ORF of older cameras", "MMOR", placedPage),
        tiff("ORF of a third kind", "IIRS", placedPage),
        tiff("picture of an RW2", "IIU\u{0}", panasonic),
    ]

    private static let dng: [UInt8] = {
        let first: [Entry] = [
            smaller, Entry(0x0100, .long(400)), Entry(0x0101, .long(300)), Entry(0x010F, .text("Apple")),
            Entry(0x0110, .text("Phone 1")), Entry(0x0112, .short(1)), Entry(0x014A, .directories([size])),
            packetEntry, Entry(0x83BB, .bytes(records)),
            Entry(0x8649, .bytes(resources([(0x0404, records), (0x0422, exif), (0x0424, packet)]))),
            TIFFSample.details, TIFFSample.berlin,
        ]
        return TIFFSample(head: little, pages: [first, size]).bytes
    }()

    static func preview(_ position: Int, _ length: Int) -> [Entry] {
        [Entry(position, .apart(photo)), Entry(length, .long(photo.count))]
    }

    // MARK: GIF

    /// - Parameter application: the name of eleven letters, and what follows it up to the end of the block.
    static func gif(_ application: (name: String, bytes: [UInt8])? = nil, flags: UInt8 = 0x80) -> [UInt8] {
        let colors = [UInt8](repeating: 5, count: flags & 0x80 == 0 ? 0 : 6)
        let size = Bytes.little(400, 2) + Bytes.little(300, 2)
        var frame: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0]
        frame += size
        frame += [0x80, 1, 2, 3, 4, 5, 6, 2, 3, 7, 7, 7, 1, 7, 0] as [UInt8]
        var file = Bytes.text("GIF89a") + size
        file += [flags, 0, 0] + colors + frame
        if let application { file += [0x21, 0xFF, 11] + Bytes.text(application.name) + application.bytes }
        return file + frame + [0x3B]
    }

    static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

    static func gif(xmp: [UInt8]) -> [UInt8] { gif(("XMP DataXMP", xmp + trailer)) }

    // MARK: Boxes

    static func jpegXL(_ boxes: [UInt8]...) -> [UInt8] {
        Bytes.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + Bytes.box("ftyp", Bytes.text("jxl \0\0\0\0jxl "))
            + boxes.flatMap { $0 } + Bytes.box("jxlc", [0xFF, 0x0A, 7, 7, 7])
    }

    static func jpeg2000(_ boxes: [UInt8]...) -> [UInt8] {
        Bytes.box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + Bytes.box("ftyp", Bytes.text("jp2 \0\0\0\0jp2 "))
            + Bytes.box("jp2h", Bytes.box("ihdr", Bytes.big(300, 4), Bytes.big(400, 4), [0, 3, 7, 7, 0, 0]))
            + boxes.flatMap { $0 } + Bytes.box("jp2c", [0xFF, 0x4F, 0xFF, 0x51])
    }

    static let xmpBox = Bytes.box(
        "uuid", [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC], packet
    )

    private static let recordsBox = Bytes.box(
        "uuid", [0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38],
        records)
    private static let exifBox = Bytes.box("Exif", Bytes.big(2, 4), [0, 0], exif)

    static let boxes: [SampleFile] = [
        SampleFile("EXIF in JPEG XL", jpegXL(exifBox)),
        SampleFile("XMP in JPEG XL", jpegXL(Bytes.box("xml ", packet))),
        SampleFile("EXIF in JPEG 2000", jpeg2000(Bytes.box("uuid", Bytes.text("JpgTiffExif->JP2"), exif))),
        SampleFile("XMP and IPTC in JPEG 2000", jpeg2000(xmpBox, recordsBox)),
    ]

    // MARK: Others

    static func photoshop(_ resources: [UInt8]) -> [UInt8] {
        var file = Bytes.text("8BPS")
        file += [0, 1, 0, 0, 0, 0, 0, 0, 0, 3] as [UInt8]
        file += Bytes.big(300, 4) + Bytes.big(400, 4) + [0, 8, 0, 3]
        file += Bytes.big(4, 4) + [1, 2, 3, 4]
        file += Bytes.big(resources.count, 4) + resources
        return file + Bytes.big(0, 4) + [0, 0, 7]
    }

    static func fujifilm(_ picture: [UInt8]) -> [UInt8] {
        var directory = Bytes.big(2, 4) + Bytes.big(0x0100, 2) + Bytes.big(4, 2) + [1, 2, 3, 4]
        directory += Bytes.big(0x0111, 2) + Bytes.big(4, 2) + Bytes.big(300, 2) + Bytes.big(400, 2)
        let behind = 108 + picture.count
        var file = Bytes.text("FUJIFILMCCD-RAW 0201FF129502Camera 1")
        file += [UInt8](repeating: 0, count: 84 - file.count)
        for number in [108, picture.count, behind, directory.count, behind, 8] { file += Bytes.big(number, 4) }
        return file + picture + directory + [UInt8](repeating: 9, count: 32)
    }

    static func sound(_ userData: [UInt8]) -> [UInt8] {
        let head = Bytes.box("ftyp", Bytes.text("M4A "), Bytes.big(0, 4), Bytes.text("M4A mp42"))
        let track = Bytes.box("trak", Samples.track("soun", Bytes.box("mp4a", [UInt8](repeating: 0, count: 28))))
        return head
            + Bytes.box(
                "moov",
                Bytes.full(
                    "mvhd", Bytes.big(3_866_000_000, 4), Bytes.big(0, 4), Bytes.big(600, 4), Bytes.big(1500, 4),
                    [UInt8](repeating: 0, count: 80)), track, Bytes.box("udta", userData))
            + Bytes.box("mdat", [1, 2, 3])
    }

    static let position = Bytes.box(
        "\u{A9}xyz", Bytes.big(18, 2), Bytes.big(0x15C7, 2), Bytes.text("+52.5000+013.4000/"))

    static let frames = ("LIST", Bytes.text("movi00dc") + Bytes.little(4, 4) + [7, 7, 7, 7])

    static let others: [SampleFile] = [
        SampleFile("EXIF in a PSD", photoshop(resources([(0x03ED, [1]), (0x0422, exif), (0x0404, records)]))),
        SampleFile("XMP in a PSD", photoshop(resources([(0x0424, packet)]))),
        SampleFile("picture of a RAF", fujifilm(photo)),
        SampleFile("user data of an M4A", sound(position)),
        SampleFile(
            "XMP in an AVI", Samples.riff([("LIST", Bytes.text("hdrl")), frames, ("_PMX", packet)], form: "AVI ")),
        SampleFile(
            "XMP in a WAV", Samples.riff([("fmt ", [1, 0]), ("data", [7, 7, 7]), ("_PMX", packet)], form: "WAVE")),
    ]

    static let placed: [SampleFile] =
        tiff + [SampleFile("XMP in GIF", gif(xmp: packet))] + boxes + others
}
