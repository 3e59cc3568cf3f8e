import Foundation

/// Pictures small enough to stand here.
package enum Pictures {
    /// 64 × 32 pixels, red on the left and blue on the right, with an Exif block that says to turn it and where it was
    /// taken (`SECRET-POSITION!`).
    package static let photograph = Array(
        Data(
            base64Encoded: """
                /9j/4QBkRXhpZgAATU0AKgAAAAgAAgESAAMAAAABAAYAAIglAAQAAAABAAAAJgAAAAAAAgABAAIAAAACTgAAAAAbAAcAAAAYAAAA\
                RAAAAABBU0NJSQAAAFNFQ1JFVC1QT1NJVElPTiH/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX\
                RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
                Y2NjY2NjY2NjY2NjY2NjY2P/wAARCAAgAEADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAA\
                AAAAAAAA/8QAFwEBAQEBAAAAAAAAAAAAAAAAAAcFBv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIoDLd4AAjgK\
                gnIACwAl6jAAI4CoJyAA/9k=
                """) ?? Data())

    /// The head of a PNG that claims this size, without pixels.
    package static func png(width: UInt32, height: UInt32) -> [UInt8] {
        let sizes = [width, height].flatMap { size in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + sizes
            + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The photograph with XMP that tells the same place.
    package static var told: [UInt8] {
        let text = Array(
            ("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:Description "
                + "exif:GPSLatitude=\"SECRET-LATITUDE\"/></x:xmpmeta>").utf8)
        return Array(photograph.prefix(2)) + segment(0xE1, text) + photograph.dropFirst(2)
    }

    /// A grey JPEG of few bytes and any size.
    package static func gray(width: Int, height: Int, isProgressive: Bool = false) -> [UInt8] {
        let sizes = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        // Each table has one code of one bit, for the value zero: each block repeats the grey of the previous block.
        let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        let blocks = (width + 7) / 8 * ((height + 7) / 8)
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
            + segment(isProgressive ? 0xC2 : 0xC0, [8] + sizes + [1, 1, 0x11, 0])
            + segment(0xC4, [0x00] + code + [0x10] + code)
            + segment(0xDA, [1, 1, 0, 0, isProgressive ? 0 : 63, 0])
            + [UInt8](repeating: 0, count: blocks * (isProgressive ? 1 : 2) / 8 + 1) + [0xFF, 0xD9]
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    /// A PNG of random colours, which no encoder makes small.
    package static func noise(width: Int, height: Int) -> [UInt8] {
        var seed: UInt64 = 1
        var rows: [UInt8] = []
        for _ in 0..<height {
            rows.append(0)
            for _ in 0..<width * 3 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                rows.append(UInt8(truncatingIfNeeded: seed >> 56))
            }
        }
        var packed: [UInt8] = [0x78, 1]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let block = rows[start..<min(start + 65_535, rows.count)]
            let count = UInt16(block.count)
            packed.append(block.endIndex == rows.count ? 1 : 0)
            packed += [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            packed += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in rows { (low, high) = ((low + UInt32(byte)) % 65_521, (high + low + UInt32(byte)) % 65_521) }
        packed += bytes(high << 16 | low)
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
            + chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 2, 0, 0, 0])
            + chunk("IDAT", packed) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + body
        var crc: UInt32 = .max
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return bytes(UInt32(body.count)) + checked + bytes(~crc)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
