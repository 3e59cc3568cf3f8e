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

    /// The beginning of a PNG that claims to be this large, and nothing after it.
    package static func png(width: UInt32, height: UInt32) -> [UInt8] {
        let sizes = [width, height].flatMap { size in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + sizes
            + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }
}
