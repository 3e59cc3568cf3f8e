import Foundation
import TestCloud

/// Pictures that are not what they say: of sizes that they do not have, without an end, with more inside than outside, and
/// other things at the same time.
enum LyingPictures {
    static let all: [(name: String, bytes: [UInt8])] =
        sizes + loops + bombs + polyglots + cut
        + (0..<24).map { ("damaged \($0)", damaged(UInt64($0))) }

    private static let sizes: [(String, [UInt8])] = [
        ("a JPEG of 108 megapixels in 300 bytes", Array(Pictures.gray(width: 12_000, height: 9000).prefix(300))),
        ("a JPEG of one line", Pictures.gray(width: 65_500, height: 1)),
        ("a JPEG without pixels", Pictures.gray(width: 0, height: 0)),
        ("a JPEG with two frames", twoFrames),
        ("a PNG of 100 megapixels without any", Pictures.png(width: 10_000, height: 10_000) + chunk("IEND", [])),
        (
            "a PNG whose chunk is 2 GB long",
            Pictures.png(width: 64, height: 64) + [0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8)
        ),
        ("a GIF of 100 megapixels without frames", Array("GIF89a".utf8) + [0x10, 0x27, 0x10, 0x27, 0, 0, 0, 0x3B]),
        ("a GIF whose frame is outside", gif(screen: 4, frames: 1, at: 60_000)),
        ("a WebP of 268 megapixels without frames", webP(size: 16_384)),
        ("a WebP of 64 × 64 without frames", webP(size: 64)),
        (
            "a WebP that claims 4 GB",
            Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WEBPVP8 ".utf8) + [UInt8](repeating: 9, count: 90)
        ),
    ]

    private static let loops: [(String, [UInt8])] = [
        ("EXIF whose directory comes after itself", exif(next: 8)),
        ("EXIF whose directory lies behind the end", exif(next: 0x7FFF_FFFF)),
        ("a GIF of 5,000 frames", gif(screen: 100, frames: 5000, at: 0)),
        (
            "a HEIC whose boxes hold themselves",
            heic(box("meta", [UInt8](repeating: 0, count: 4) + box("iprp", box("ipco", ispe))))
        ),
        ("a HEIC of 3,000 boxes in each other", heic((0..<3000).reduce([]) { inner, _ in box("meta", inner) })),
        ("a HEIC whose items are made of each other", heic(itemsOfEachOther)),
        (
            "an AVIF without items",
            box("ftyp", Array("avif".utf8) + [0, 0, 0, 0] + Array("avifmif1".utf8)) + box("meta", ispe)
        ),
    ]

    private static let bombs: [(String, [UInt8])] = [
        ("a PNG of 100 megapixels in 630 kB", png(side: 10_000, bytes: 10_000 * 10_001)),
        ("a PNG of one pixel that unpacks to 100 MB", png(side: 1, bytes: 100_000_000)),
        ("a PNG whose text unpacks to 100 MB", png(side: 1, bytes: 2, text: 100_000_000)),
        ("a JPEG of 500 scans", scans(500)),
        ("a JPEG of 20,000 segments", segments(20_000)),
    ]

    private static let polyglots: [(String, [UInt8])] = [
        ("JPEG, then SVG", Pictures.photograph + markup),
        ("PNG's beginning, then HTML", Array(Pictures.noise(width: 8, height: 8).prefix(8)) + markup),
        ("GIF, then script", Array("GIF89a/*".utf8) + markup), ("SVG, then JPEG", markup + Pictures.photograph),
        (
            "JPEG with SVG as its comment",
            Array(Pictures.photograph.prefix(2)) + segment(0xFE, markup) + Pictures.photograph.dropFirst(2)
        ),
        ("JPEG, then a zip", Pictures.photograph + Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 60)),
        ("a matrix", Array("2 2\n1 2\n3 4\n".utf8)), ("a PDF", Array("%PDF-1.4\n".utf8) + Pictures.photograph),
        ("a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("libvips' own", [0xB6, 0xA6, 0xF2, 0x08] + [UInt8](repeating: 1, count: 200)),
        ("a Radiance file", Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\n".utf8)),
        ("a PPM", Array("P6 9 9 255\n".utf8) + [UInt8](repeating: 7, count: 243)),
    ]

    private static let cut: [(String, [UInt8])] =
        stride(from: 3, to: Pictures.photograph.count, by: 37).map {
            ("a JPEG cut after \($0) bytes", Array(Pictures.photograph.prefix($0)))
        } + [("half a PNG", Array(Pictures.noise(width: 200, height: 200).prefix(60_000)))]

    private static let markup = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script></svg><html></html>".utf8
    )

    /// A progressive JPEG whose picture is sent again and again.
    static func scans(_ count: Int) -> [UInt8] {
        let whole = Pictures.gray(width: 2000, height: 2000, isProgressive: true)
        let start = whole.lastRange(of: [0xFF, 0xDA]).map(\.lowerBound) ?? 0
        return whole[..<start] + Array(repeating: whole[start...].dropLast(2), count: count).joined() + [0xFF, 0xD9]
    }

    private static func damaged(_ seed: UInt64) -> [UInt8] {
        let pictures = [
            Pictures.photograph, Pictures.told, Pictures.noise(width: 20, height: 20), gif(screen: 9, frames: 2, at: 0),
        ]
        var mutator = Mutator(seed: seed)
        var bytes = pictures[Int(seed) % pictures.count]
        // Its beginning stays, so that it is taken for a picture.
        for _ in 0..<4 { bytes[16 + mutator.number(below: bytes.count - 16)] ^= UInt8(1 << mutator.number(below: 8)) }
        return bytes
    }

    // MARK: Formats

    private static let twoFrames: [UInt8] = {
        let (small, large) = (Pictures.gray(width: 8, height: 8), Pictures.gray(width: 9000, height: 9000))
        let frame = small.lastRange(of: [0xFF, 0xC0])?.lowerBound ?? 2
        let other = large.lastRange(of: [0xFF, 0xC0])?.lowerBound ?? 2
        return small[..<frame] + small[frame..<frame + 13] + large[other..<other + 13] + small[(frame + 13)...]
    }()

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    private static func segments(_ count: Int) -> [UInt8] {
        Array(Pictures.photograph.prefix(2)) + Array(repeating: segment(0xE5, [1, 2]), count: count).joined()
            + Pictures.photograph.dropFirst(2)
    }

    private static func exif(next: UInt32) -> [UInt8] {
        let tiff =
            Array("MM".utf8) + [0, 42] + number(8) + [0, 1, 1, 0x12, 0, 3] + number(1) + [0, 6, 0, 0] + number(next)
        return Array(Pictures.photograph.prefix(2)) + segment(0xE1, Array("Exif\0\0".utf8) + tiff)
            + Pictures.photograph.dropFirst(2)
    }

    private static func gif(screen: UInt8, frames: Int, at place: UInt16) -> [UInt8] {
        let edge = [UInt8(place & 0xFF), UInt8(place >> 8)]
        let frame: [UInt8] = [0x2C] + edge + edge + [1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        return Array("GIF89a".utf8) + [screen, 0, screen, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
            + Array(repeating: frame, count: frames).joined() + [0x3B]
    }

    private static func webP(size: Int) -> [UInt8] {
        let edge = [0, 8, 16].map { UInt8(truncatingIfNeeded: (size - 1) >> $0) }
        return Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0] + edge + edge
    }

    private static let ispe = box("ispe", [0, 0, 0, 0] + number(64) + number(64))

    /// Two items of 64 × 64, each a grid of the other.
    private static let itemsOfEachOther: [UInt8] = {
        func entry(_ id: UInt8) -> [UInt8] { box("infe", [2, 0, 0, 0, 0, id, 0, 0] + Array("grid".utf8) + [0]) }
        func from(_ id: UInt8, _ other: UInt8) -> [UInt8] { box("dimg", [0, id, 0, 1, 0, other]) }
        return box(
            "meta",
            [0, 0, 0, 0]
                + box("hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + box("pitm", [0, 0, 0, 0, 0, 1]) + box("iinf", [0, 0, 0, 0, 0, 2] + entry(1) + entry(2))
                + box("iref", [0, 0, 0, 0] + from(1, 2) + from(2, 1))
                + box("iprp", box("ipco", ispe) + box("ipma", [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2, 1, 1]))
                + box("idat", [0, 0, 0, 0, 0, 64, 0, 64])
                + box(
                    "iloc",
                    [1, 0, 0, 0, 0x44, 0, 0, 2]
                        + [1, 2].flatMap { id in [0, UInt8(id), 0, 1, 0, 0, 0, 1] + number(0) + number(8) }))
    }()

    private static func heic(_ boxes: [UInt8]) -> [UInt8] {
        box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)) + boxes
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        number(UInt32(body.count + 8)) + Array(type.utf8) + body
    }

    private static func number(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A grey PNG.
    ///
    /// - Parameters:
    ///   - bytes: those that its pixels unpack to, zeros.
    ///   - text: those that a text unpacks to.
    private static func png(side: UInt32, bytes: Int, text: Int? = nil) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", number(side) + number(side) + [8, 0, 0, 0, 0])
            + (text.map { chunk("zTXt", Array("a\0\0".utf8) + zeros($0)) } ?? []) + chunk("IDAT", zeros(bytes))
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + body
        var crc: UInt32 = .max
        for byte in checked { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
        return number(UInt32(body.count)) + checked + number(~crc)
    }

    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }

    /// Zeros in zlib's format: one, and repetitions of 258 in 13 bits each.
    private static func zeros(_ count: Int) -> [UInt8] {
        var (packed, bits, held): ([UInt8], UInt32, UInt32) = ([0x78, 1], 0, 0)
        // The last bit goes first, so codes stand reversed.
        func write(_ value: UInt32, _ width: UInt32) {
            bits |= value << held
            held += width
            while held >= 8 {
                packed.append(UInt8(bits & 0xFF))
                (bits, held) = (bits >> 8, held - 8)
            }
        }
        write(0b011, 3)
        let repeated = max(0, count - 1) / 258
        for _ in 0..<(count - repeated * 258) { write(0b0000_1100, 8) }
        for _ in 0..<repeated { write(0b1010_0011, 13) }
        write(0, 7)
        write(0, 7)
        return packed + number(UInt32(count % 65_521) << 16 | 1)
    }
}

extension Array where Element == UInt8 {
    fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
        indices.dropLast(other.count - 1).last { Array(self[$0..<$0 + other.count]) == other }.map {
            $0..<$0 + other.count
        }
    }
}
