package import Foundation
import TestProcess

/// Pictures of four colored quarters in every format and every position that cameras write, made by libvips and by hand.
package struct PictureCorpus: Sendable {
    package static let size = (width: 96, height: 64)
    /// Red, green, blue and white: above and below, from left to right.
    package static let quarters: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    package static let formats = ["jpg", "png", "webp", "heic"]

    /// For each orientation of EXIF the quarters that are shown, above and below, from left to right.
    package static let shown: [Int: [Int]] = [
        1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1], 5: [0, 2, 1, 3], 6: [2, 0, 3, 1],
        7: [3, 1, 2, 0], 8: [1, 3, 0, 2],
    ]

    /// Thrown when libvips cannot make or read a picture.
    package struct Failed: Error {}

    private let plain: [String: [UInt8]]
    /// The same picture in colors of Display P3, by format.
    package let wide: [String: Data]
    /// The same picture in gray without a profile, by format.
    package let gray: [String: Data]

    package init() async throws {
        (plain, wide, gray) = try await Self.withFolder { folder in
            let source = folder.appending(path: "source.ppm").path()
            try Data(Self.pixels).write(to: URL(filePath: source))
            var (plain, wide, gray): ([String: [UInt8]], [String: Data], [String: Data]) = ([:], [:], [:])
            for format in Self.formats {
                let target = folder.appending(path: "plain.\(format)")
                let strip = format == "heic" ? "" : "[strip]"
                try await Self.vips(["copy", source, target.path() + strip])
                plain[format] = try Array(Data(contentsOf: target))
                let p3 = folder.appending(path: "wide.\(format)")
                try await Self.vips(["icc_transform", source, p3.path(), "p3", "--input-profile", "srgb"])
                wide[format] = try Data(contentsOf: p3)
            }
            for format in ["jpg", "png"] {
                let target = folder.appending(path: "gray.\(format)")
                try await Self.vips(["colourspace", source, target.path() + "[strip]", "b-w"])
                gray[format] = try Data(contentsOf: target)
            }
            return (plain, wide, gray)
        }
    }

    /// The picture in a format, with an orientation of EXIF; a HEIC says the same by its own properties.
    package func picture(_ format: String, orientation: Int) -> Data {
        let bytes = plain[format] ?? []
        let exif = Self.exif(orientation)
        return switch format {
        case "jpg":
            Data(
                bytes[..<2] + [0xFF, 0xE1] + MediaFile.big(exif.count + 8, 2) + Array("Exif\0\0".utf8) + exif
                    + bytes[2...])
        case "png": Data(bytes[..<33] + Self.chunk("eXIf", exif) + bytes[33...])
        case "webp": Data(Self.webP(bytes, exif))
        default: Data(HEICTurn(orientation).applied(to: bytes))
        }
    }

    /// The colors in the middle of each quarter of pictures.
    package static func colors(of pictures: [Data]) async throws -> [(width: Int, height: Int, quarters: [[UInt8]])] {
        try await withFolder { folder in
            var found: [(Int, Int, [[UInt8]])] = []
            for (number, picture) in pictures.enumerated() {
                let (file, pixels) = (folder.appending(path: "\(number)"), folder.appending(path: "\(number).ppm"))
                try picture.write(to: file)
                try await vips(["colourspace", file.path(), pixels.path(), "srgb"])
                let bytes = [UInt8](try Data(contentsOf: pixels))
                // `P6`, a comment, width and height, the most: then the pixels.
                let lines = bytes.prefix(200).split(separator: 10, omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }
                let numbers = lines.dropFirst().filter { !$0.hasPrefix("#") }
                let sizes = numbers.first?.split(separator: " ").compactMap { Int($0) } ?? []
                guard sizes.count == 2, bytes.count > sizes[0] * sizes[1] * 3 else { throw Failed() }
                let start = bytes.count - sizes[0] * sizes[1] * 3
                found.append(
                    (
                        sizes[0], sizes[1],
                        [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
                            let place = start + (sizes[1] * y / 4 * sizes[0] + sizes[0] * x / 4) * 3
                            return Array(bytes[place..<place + 3])
                        }
                    ))
            }
            return found
        }
    }

    private static var pixels: [UInt8] {
        var pixels = Array("P6 \(size.width) \(size.height) 255\n".utf8)
        for row in 0..<size.height {
            for column in 0..<size.width {
                pixels += quarters[row * 2 / size.height * 2 + column * 2 / size.width]
            }
        }
        return pixels
    }

    /// EXIF with an orientation and nothing else.
    private static func exif(_ orientation: Int) -> [UInt8] {
        Array("MM\0*".utf8) + MediaFile.big(8, 4) + MediaFile.big(1, 2) + MediaFile.big(0x0112, 2) + MediaFile.big(3, 2)
            + MediaFile.big(1, 4) + MediaFile.big(orientation, 2) + [0, 0] + MediaFile.big(0, 4)
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + body
        var crc: UInt32 = .max
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return MediaFile.big(body.count, 4) + checked + MediaFile.big(Int(~crc), 4)
    }

    /// A WebP with a canvas and EXIF, of the pixels of another one.
    private static func webP(_ bytes: [UInt8], _ exif: [UInt8]) -> [UInt8] {
        let little = { (value: Int, length: Int) -> [UInt8] in MediaFile.big(value, length).reversed() }
        let canvas: [UInt8] = [8, 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3)
        let start = bytes.indices.first { bytes[$0...].starts(with: "VP8 ".utf8) } ?? 12
        let length = bytes[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let pixels = bytes[start..<start + 8 + length + length % 2]
        let body =
            Array("WEBPVP8X".utf8) + little(canvas.count, 4) + canvas + pixels + Array("EXIF".utf8)
            + little(exif.count, 4) + exif
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    private static func vips(_ arguments: [String]) async throws {
        let null = FileHandle.nullDevice.fileDescriptor
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/vips"), arguments, environment: [:], streams: (null, null, null), bound: 120)
        guard await child.end() == 0 else { throw Failed() }
    }

    private static func withFolder<T>(_ body: (URL) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// How a HEIC is turned: first by quarters of a circle, then mirrored.
private struct HEICTurn {
    /// Quarters of a circle against the clock.
    let turns: Int
    /// 0 exchanges above and below, 1 left and right; nil mirrors nothing.
    let mirror: Int?

    /// The turn that shows what an orientation of EXIF shows.
    init(_ orientation: Int) {
        (turns, mirror) =
            [
                (0, nil), (0, 1), (2, nil), (0, 0), (3, 1), (3, nil), (3, 0), (1, nil),
            ][orientation - 1]
    }

    /// A HEIC as libvips writes it with these properties in addition.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var boxes = MediaFile.box("irot", [UInt8(turns)])
        if let mirror { boxes += MediaFile.box("imir", [UInt8(mirror)]) }
        let names = ["meta", "iloc", "iprp", "ipco", "ipma"]
        var starts: [String: Int] = [:]
        for name in names { starts[name] = Self.start(of: name, in: bytes) }
        guard let meta = starts["meta"], let iloc = starts["iloc"], let iprp = starts["iprp"],
            let ipco = starts["ipco"],
            let ipma = starts["ipma"]
        else { return bytes }
        let known = Self.count(of: bytes, in: ipco)
        let added = mirror == nil ? [known + 1] : [known + 1, known + 2]
        let growth = boxes.count + added.count
        var result = bytes
        func grow(_ box: Int, by count: Int) {
            result.replaceSubrange(box..<box + 4, with: MediaFile.big(Self.number(bytes, box) + count, 4))
        }
        // Items are told by the start of the file: behind the bytes that are added.
        for item in 0..<(Int(bytes[iloc + 14]) << 8 | Int(bytes[iloc + 15])) {
            grow(iloc + 16 + item * 18 + 4, by: growth)
        }
        grow(meta, by: growth)
        grow(iprp, by: growth)
        grow(ipco, by: boxes.count)
        grow(ipma, by: added.count)
        // One item has properties: their number, then one byte for each.
        let count = ipma + 18
        result[count] += UInt8(added.count)
        let end = count + 1 + Int(bytes[count])
        result.insert(contentsOf: added.map { UInt8($0 | 0x80) }, at: end)
        result.insert(contentsOf: boxes, at: ipco + Self.number(bytes, ipco))
        return result
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where the box of a name begins.
    private static func start(of name: String, in bytes: [UInt8]) -> Int? {
        bytes.indices.dropFirst(4).first { bytes[$0...].starts(with: name.utf8) }.map { $0 - 4 }
    }

    /// The number of boxes in a box.
    private static func count(of bytes: [UInt8], in box: Int) -> Int {
        var (place, count) = (box + 8, 0)
        while place < box + number(bytes, box) {
            place += max(number(bytes, place), 8)
            count += 1
        }
        return count
    }
}
