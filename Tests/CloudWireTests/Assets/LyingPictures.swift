import Foundation
import TestCloud

/// Pictures with false sizes, without an end, that grow when decoded, or that are files of another type at the same time.
struct LyingPicture: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ parts: [UInt8]...) {
        self.name = name
        bytes = parts.reduce(into: []) { $0 += $1 }
    }

    static let all: [LyingPicture] = Array([sizes, loops, bombs, polyglots, cut, damaged].joined())

    private static let sizes: [LyingPicture] = [
        LyingPicture("a JPEG of 108 megapixels in 300 bytes", head(Pictures.gray(width: 12_000, height: 9000), 300)),
        LyingPicture("a JPEG of one line", Pictures.gray(width: 65_500, height: 1)),
        LyingPicture("a JPEG without pixels", Pictures.gray(width: 0, height: 0)),
        LyingPicture(
            "a PNG of 100 megapixels without any", Pictures.png(width: 10_000, height: 10_000), chunk("IEND", [])),
        LyingPicture(
            "a PNG whose chunk is 2 GB long", Pictures.png(width: 64, height: 64), number(UInt32.max >> 1), text("IDAT")
        ),
        LyingPicture(
            "a GIF of 100 megapixels without frames", text("GIF89a"), [0x10, 0x27, 0x10, 0x27, 0, 0, 0, 0x3B]),
        LyingPicture("a GIF whose frame is outside", gif(screen: 4, frames: 1, at: 200)),
        LyingPicture("a WebP of 268 megapixels without frames", webP(size: 16_384)),
        LyingPicture("a WebP of 64 × 64 without frames", webP(size: 64)),
        LyingPicture("a WebP that claims 4 GB", text("RIFF"), number(.max), text("WEBPVP8 "), fill(9, 90)),
    ]

    private static let loops: [LyingPicture] = [
        LyingPicture("EXIF whose directory comes after itself", exif(next: 8)),
        LyingPicture("EXIF whose directory lies behind the end", exif(next: UInt32.max >> 1)),
        LyingPicture("a GIF of 5,000 frames", gif(screen: 100, frames: 5000, at: 0)),
        LyingPicture(
            "a HEIC with a size and nothing else", heic, box("meta", fill(0, 4), box("iprp", box("ipco", size)))),
        LyingPicture("a HEIC of 1,000 boxes in each other", heic, nested(1000)),
        LyingPicture("a HEIC whose items are made of each other", heic, itemsOfEachOther),
        LyingPicture(
            "an AVIF without items", box("ftyp", text("avif"), fill(0, 4), text("avifmif1")), box("meta", size)),
    ]

    private static let bombs: [LyingPicture] = [
        LyingPicture("a PNG of 100 megapixels in 630 kB", png(side: 10_000, bytes: 10_000 * 10_001)),
        LyingPicture("a PNG of one pixel that unpacks to 100 MB", png(side: 1, bytes: 100_000_000)),
        LyingPicture("a PNG whose text unpacks to 100 MB", png(side: 1, bytes: 2, text: 100_000_000)),
        LyingPicture("a JPEG of 300 scans", scans(300)),
        LyingPicture("a JPEG of 20,000 segments", beginning, fill(segment(0xE5, [1, 2]), 20_000), rest),
    ]

    /// Those that are no picture by their first bytes.
    static let others: [LyingPicture] = [
        LyingPicture("SVG, then JPEG", markup, Pictures.photograph),
        LyingPicture("a matrix", text("2 2\n1 2\n3 4\n")),
        LyingPicture("a PDF", text("%PDF-1.4\n"), Pictures.photograph),
        LyingPicture("a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        LyingPicture("a file of libvips", [0xB6, 0xA6, 0xF2, 0x08], fill(1, 200)),
        LyingPicture("a Radiance file", text("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\n")),
        LyingPicture("a PPM", text("P6 9 9 255\n"), fill(7, 243)),
    ]

    private static let polyglots: [LyingPicture] =
        others + [
            LyingPicture("JPEG, then SVG", Pictures.photograph, markup),
            LyingPicture("PNG's beginning, then HTML", head(Pictures.noise(width: 8, height: 8), 8), markup),
            LyingPicture("GIF, then script", text("GIF89a/*"), markup),
            LyingPicture("JPEG with SVG as its comment", beginning, segment(0xFE, markup), rest),
            LyingPicture("JPEG, then a zip", Pictures.photograph, text("PK\u{3}\u{4}"), fill(0, 60)),
        ]

    private static let cut: [LyingPicture] =
        stride(from: 3, to: Pictures.photograph.count, by: 37).map {
            LyingPicture("a JPEG cut after \($0) bytes", head(Pictures.photograph, $0))
        } + [LyingPicture("half a PNG", head(Pictures.noise(width: 100, height: 100), 15_000))]

    /// Pictures with four wrong bits. Their beginning stays, so that they are taken for pictures.
    private static let damaged: [LyingPicture] = (0..<24).map { seed in
        let pictures = [
            Pictures.photograph, Pictures.told, Pictures.noise(width: 20, height: 20), gif(screen: 9, frames: 2, at: 0),
        ]
        var mutator = Mutator(seed: UInt64(seed))
        var bytes = pictures[seed % pictures.count]
        for _ in 0..<4 {
            let bit = UInt8(1 << mutator.number(below: 8))
            bytes[16 + mutator.number(below: bytes.count - 16)] ^= bit
        }
        return LyingPicture("damaged \(seed)", bytes)
    }

    // MARK: Formats

    private static let markup = text(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script></svg><html></html>")

    private static let beginning = head(Pictures.photograph, 2)
    private static let rest: [UInt8] = Array(Pictures.photograph.dropFirst(2))
    private static let heic = box("ftyp", text("heic"), fill(0, 4), text("mif1heic"))
    /// 64 × 64.
    private static let size = box("ispe", fill(0, 4), number(64), number(64))

    /// A progressive JPEG whose picture comes again and again.
    static func scans(_ count: Int) -> [UInt8] {
        let whole = Pictures.gray(width: 2000, height: 2000, isProgressive: true)
        let start = whole.indices.dropLast().first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA } ?? 0
        return join(head(whole, start), fill(Array(whole[start...].dropLast(2)), count), [0xFF, 0xD9])
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        join([0xFF, marker], Array(number(UInt32(body.count + 2)).dropFirst(2)), body)
    }

    private static func exif(next: UInt32) -> [UInt8] {
        let entry = join([1, 0x12, 0, 3], number(1), [0, 6, 0, 0])
        let tiff = join(text("MM"), [0, 42], number(8), [0, 1], entry, number(next))
        return join(beginning, segment(0xE1, join(text("Exif\0\0"), tiff)), rest)
    }

    private static func gif(screen: UInt8, frames: Int, at place: UInt8) -> [UInt8] {
        let frame: [UInt8] = [0x2C, place, 0, place, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        let head: [UInt8] = [screen, 0, screen, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        return join(text("GIF89a"), head, fill(frame, frames), [0x3B])
    }

    private static func webP(size: Int) -> [UInt8] {
        let edge = [0, 8, 16].map { UInt8(truncatingIfNeeded: (size - 1) >> $0) }
        return join(text("RIFF"), [22, 0, 0, 0], text("WEBPVP8X"), [10, 0, 0, 0, 2, 0, 0, 0], edge, edge)
    }

    private static func nested(_ count: Int) -> [UInt8] {
        (0..<count).reduce(into: [UInt8]()) { inner, _ in inner = box("meta", inner) }
    }

    /// Two items of 64 × 64, each a grid of the other.
    private static let itemsOfEachOther: [UInt8] = {
        func entry(_ id: UInt8) -> [UInt8] { box("infe", [2, 0, 0, 0, 0, id, 0, 0], text("grid"), [0]) }
        func place(_ id: UInt8) -> [UInt8] { join([0, id, 0, 1, 0, 0, 0, 1], number(0), number(8)) }
        let references = join(box("dimg", [0, 1, 0, 1, 0, 2]), box("dimg", [0, 2, 0, 1, 0, 1]))
        let properties = join(box("ipco", size), box("ipma", [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2, 1, 1]))
        return box(
            "meta", fill(0, 4), box("hdlr", fill(0, 8), text("pict"), fill(0, 13)), box("pitm", [0, 0, 0, 0, 0, 1]),
            box("iinf", [0, 0, 0, 0, 0, 2], entry(1), entry(2)), box("iref", fill(0, 4), references),
            box("iprp", properties), box("idat", [0, 0, 0, 0, 0, 64, 0, 64]),
            box("iloc", [1, 0, 0, 0, 0x44, 0, 0, 2], place(1), place(2)))
    }()

    private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let body: [UInt8] = Array(parts.joined())
        return join(number(UInt32(body.count + 8)), text(type), body)
    }

    /// A grey PNG.
    ///
    /// - Parameters:
    ///   - bytes: those that its pixels unpack to, zeros.
    ///   - more: those that a text unpacks to.
    private static func png(side: UInt32, bytes: Int, text more: Int? = nil) -> [UInt8] {
        let told = more.map { chunk("zTXt", join([0x61, 0, 0], zeros($0))) } ?? []
        let header = chunk("IHDR", join(number(side), number(side), [8, 0, 0, 0, 0]))
        return join(
            [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], header, told, chunk("IDAT", zeros(bytes)), chunk("IEND", []))
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let checked = join(text(type), body)
        var crc: UInt32 = .max
        for byte in checked { crc = (crc >> 8) ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
        return join(number(UInt32(body.count)), checked, number(~crc))
    }

    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        var crc = byte
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        return crc
    }

    /// Zeros in zlib's format: literal zeros, then repetitions of 258 bytes in 13 bits each.
    private static func zeros(_ count: Int) -> [UInt8] {
        var packed: [UInt8] = [0x78, 1]
        var bits: UInt32 = 0
        var held: UInt32 = 0
        // The last bit goes first, so codes stand reversed.
        func write(_ value: UInt32, _ width: UInt32) {
            bits |= value << held
            held += width
            while held >= 8 {
                packed.append(UInt8(bits & 0xFF))
                bits >>= 8
                held -= 8
            }
        }
        write(0b011, 3)
        let repeated = max(0, count - 1) / 258
        for _ in 0..<(count - repeated * 258) { write(0b0000_1100, 8) }
        for _ in 0..<repeated { write(0b1010_0011, 13) }
        write(0, 7)
        write(0, 7)
        return join(packed, number(UInt32(count % 65_521) << 16 | 1))
    }

    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.reduce(into: []) { $0 += $1 } }
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func head(_ bytes: [UInt8], _ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }
    private static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
    private static func fill(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).reduce(into: []) { filled, _ in filled += bytes }
    }
    private static func number(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
