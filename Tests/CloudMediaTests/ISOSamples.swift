/// Small HEIC, AVIF, MP4 and QuickTime files.
extension Samples {
    struct Still {
        var brand = "heic"
        var type = "hvc1"
        var properties: [[UInt8]] = []
        /// Type, contents, more properties.
        var items: [(type: String, contents: [UInt8], properties: [[UInt8]])] = []
        var rotation = 0
    }

    static func still(_ still: Still) -> [UInt8] {
        let extent = Bytes.full("ispe", Bytes.big(400, 4), Bytes.big(300, 4))
        let own =
            [extent] + still.properties + (still.rotation == 0 ? [] : [Bytes.box("irot", [UInt8(still.rotation)])])
        let items = [(type: still.type, contents: [UInt8](repeating: 7, count: 16), properties: own)] + still.items
        let head = Bytes.box("ftyp", Bytes.text(still.brand), Bytes.big(0, 4), Bytes.text("mif1"))
        let length = meta(items, dataAt: 0).count
        return head + meta(items, dataAt: head.count + length + 8) + Bytes.box("mdat", items.flatMap(\.contents))
    }

    private static func meta(
        _ items: [(type: String, contents: [UInt8], properties: [[UInt8]])], dataAt: Int
    ) -> [UInt8] {
        let entries = items.enumerated().map { index, item in
            Bytes.full(
                "infe", version: 2, Bytes.big(index + 1, 2), [0, 0], Bytes.text(item.type), [0],
                item.type == "mime" ? Bytes.text("application/rdf+xml\u{0}") : [])
        }
        var (locations, at) = ([UInt8](), dataAt)
        for (index, item) in items.enumerated() {
            locations += Bytes.big(index + 1, 2) + Bytes.big(0, 2) + Bytes.big(1, 2) + Bytes.big(at, 4)
            locations += Bytes.big(item.contents.count, 4)
            at += item.contents.count
        }
        var (associations, next) = ([UInt8](), 1)
        for (index, item) in items.enumerated() {
            associations += Bytes.big(index + 1, 2) + [UInt8(item.properties.count)]
            associations += item.properties.indices.map { UInt8(next + $0) }
            next += item.properties.count
        }
        return Bytes.full(
            "meta", Bytes.full("hdlr", Bytes.big(0, 4), Bytes.text("pict"), [UInt8](repeating: 0, count: 13)),
            Bytes.full("pitm", Bytes.big(1, 2)),
            Bytes.full("iinf", Bytes.big(items.count, 2), entries.flatMap { $0 }),
            Bytes.full("iloc", [0x44, 0], Bytes.big(items.count, 2), locations),
            Bytes.box(
                "iprp", Bytes.box("ipco", items.flatMap(\.properties).flatMap { $0 }),
                Bytes.full("ipma", Bytes.big(items.count, 4), associations)))
    }

    static func nclx(_ primaries: Int, _ transfer: Int) -> [UInt8] {
        Bytes.box("colr", Bytes.text("nclx"), Bytes.big(primaries, 2), Bytes.big(transfer, 2), Bytes.big(9, 2), [0x80])
    }

    struct Movie {
        var brand = "qt  "
        var keys: [(String, String)] = []
        var userData: [UInt8] = []
        var isTurned = false
        var entry: [UInt8] = Bytes.box("avcC", [1, 0x64, 0, 0x28, 0xFF])
        var coding = "avc1"
        var moovFirst = false
        var tracks: [UInt8] = []
    }

    static func movie(_ movie: Movie) -> [UInt8] {
        let one = Bytes.big(0x10000, 4)
        let (zero, minusOne) = (Bytes.big(0, 4), Bytes.big(-0x10000, 4))
        let matrix = movie.isTurned ? [zero, one, zero, minusOne, zero, zero] : [one, zero, zero, zero, one, zero]
        let header = Bytes.full(
            "tkhd", [UInt8](repeating: 0, count: 36), matrix.flatMap { $0 }, [UInt8](repeating: 0, count: 12),
            Bytes.big(1920 << 16, 4), Bytes.big(1080 << 16, 4))
        let sample = Bytes.box(
            movie.coding, [UInt8](repeating: 0, count: 24), Bytes.big(1920, 2), Bytes.big(1080, 2),
            [UInt8](repeating: 0, count: 50), movie.entry)
        let moov = Bytes.box(
            "moov",
            Bytes.full(
                "mvhd", Bytes.big(3_866_000_000, 4), Bytes.big(0, 4), Bytes.big(600, 4), Bytes.big(1500, 4),
                [UInt8](repeating: 0, count: 80)),
            Bytes.box("trak", header, track("vide", sample)), movie.tracks,
            movie.keys.isEmpty ? [] : keys(movie.keys), Bytes.box("udta", movie.userData, zero))
        let data = Bytes.box("mdat", [UInt8](repeating: 9, count: 64))
        let head = Bytes.box("ftyp", Bytes.text(movie.brand), Bytes.big(0x200, 4), Bytes.text(movie.brand))
        return head + Bytes.box("wide") + (movie.moovFirst ? moov + data : data + moov)
    }

    static func track(_ handler: String, _ sample: [UInt8]) -> [UInt8] {
        Bytes.box(
            "mdia", Bytes.full("hdlr", Bytes.text("mhlr"), Bytes.text(handler), [UInt8](repeating: 0, count: 13)),
            Bytes.box("minf", Bytes.box("stbl", Bytes.full("stsd", Bytes.big(1, 4), sample))))
    }

    private static func keys(_ keys: [(String, String)]) -> [UInt8] {
        let names = keys.flatMap { Bytes.big($0.0.utf8.count + 8, 4) + Bytes.text("mdta") + Bytes.text($0.0) }
        let values = keys.enumerated().flatMap { index, key in
            let data = Bytes.box("data", Bytes.big(1, 4), Bytes.big(0, 4), Array(key.1.utf8))
            return Bytes.big(data.count + 8, 4) + Bytes.big(index + 1, 4) + data
        }
        return Bytes.box(
            "meta", Bytes.full("hdlr", Bytes.big(0, 4), Bytes.text("mdta"), [UInt8](repeating: 0, count: 13)),
            Bytes.full("keys", Bytes.big(keys.count, 4), names), Bytes.box("ilst", values))
    }
}
