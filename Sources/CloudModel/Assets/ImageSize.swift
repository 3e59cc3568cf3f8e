/// The size of a picture, read from its header. Nothing is decoded, so a false header is harmless.
package struct ImageSize: Hashable, Sendable {
    /// Displayed pixels, orientation applied.
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Nil on overflow.
    package var pixels: Int? {
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? nil : pixels
    }

    /// The number of initial bytes that contain nearly every picture's header.
    package static let prefix = 256 << 10

    /// - Parameters:
    ///   - head: the beginning of the contents.
    ///   - type: from ``ContentType/sniff(_:)``.
    /// - Returns: nil for contents other than a known picture format, and for headers broken or not within `head`.
    package init?(_ head: [UInt8], type: String) {
        let reader = HeaderReader(bytes: head)
        let size: (Int, Int)? =
            switch type {
            case "image/png": reader.png()
            case "image/gif": reader.gif()
            case "image/webp": reader.webp()
            case "image/jpeg": reader.jpeg()
            case "image/heic", "image/avif": reader.isoMedia()
            default: nil
            }
        guard let size, size.0 > 0, size.1 > 0 else { return nil }
        self.init(width: size.0, height: size.1)
    }
}

private struct HeaderReader {
    let bytes: [UInt8]

    func byte(_ at: Int) -> Int? { bytes.indices.contains(at) ? Int(bytes[at]) : nil }

    func big16(_ at: Int) -> Int? {
        guard let high = byte(at), let low = byte(at + 1) else { return nil }
        return high << 8 | low
    }

    func big32(_ at: Int) -> Int? {
        guard let high = big16(at), let low = big16(at + 2) else { return nil }
        return high << 16 | low
    }

    func little(_ at: Int, bytes count: Int) -> Int? {
        var value = 0
        for index in (0..<count).reversed() {
            guard let byte = byte(at + index) else { return nil }
            value = value << 8 | byte
        }
        return value
    }

    func has(_ text: String, at: Int) -> Bool {
        at >= 0 && at <= bytes.count && bytes[at...].starts(with: text.utf8)
    }

    func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    func png() -> (Int, Int)? { has("IHDR", at: 12) ? pair(big32(16), big32(20)) : nil }

    func gif() -> (Int, Int)? { pair(little(6, bytes: 2), little(8, bytes: 2)) }

    func webp() -> (Int, Int)? {
        if has("VP8X", at: 12) {
            return pair(little(24, bytes: 3).map { $0 + 1 }, little(27, bytes: 3).map { $0 + 1 })
        }
        if has("VP8L", at: 12) {
            guard let bits = little(21, bytes: 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        return has("VP8 ", at: 12)
            ? pair(little(26, bytes: 2).map { $0 & 0x3FFF }, little(28, bytes: 2).map { $0 & 0x3FFF }) : nil
    }

    /// Walks the segments up to the frame header; the Exif orientation precedes it.
    func jpeg() -> (Int, Int)? {
        var at = 2
        var isTurned = false
        while let marker = big16(at), marker >= 0xFF00 {
            // A marker may be preceded by any number of fill bytes.
            if marker == 0xFFFF {
                at += 1
                continue
            }
            let isFrame = (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
            if isFrame {
                guard let size = pair(big16(at + 7), big16(at + 5)) else { return nil }
                return isTurned ? (size.1, size.0) : size
            }
            if marker == 0xFFE1, has("Exif", at: at + 4) { isTurned = (5...8).contains(orientation(at + 10) ?? 1) }
            guard let length = big16(at + 2), length >= 2 else { return nil }
            at += 2 + length
        }
        return nil
    }

    /// Tag 0x0112 of the first directory of the TIFF structure at `start`.
    private func orientation(_ start: Int) -> Int? {
        let isLittle = has("II", at: start)
        guard isLittle || has("MM", at: start) else { return nil }
        func number(_ at: Int, bytes count: Int) -> Int? {
            if isLittle { return little(start + at, bytes: count) }
            return count == 2 ? big16(start + at) : big32(start + at)
        }
        guard let directory = number(4, bytes: 4), let count = number(directory, bytes: 2) else { return nil }
        for entry in 0..<min(count, 200) where number(directory + 2 + entry * 12, bytes: 2) == 0x0112 {
            return number(directory + 2 + entry * 12 + 8, bytes: 2)
        }
        return nil
    }

    /// The largest of the spatial extents: tiles and thumbnails of a picture declare their own.
    func isoMedia() -> (Int, Int)? {
        var largest: (Int, Int)?
        var quarterTurns = 0
        for at in bytes.indices where bytes[at] == UInt8(ascii: "i") {
            if has("ispe", at: at), let size = pair(big32(at + 8), big32(at + 12)),
                size.0 < 1 << 20, size.1 < 1 << 20, size.0 * size.1 > largest.map({ $0.0 * $0.1 }) ?? 0
            {
                largest = size
            } else if has("irot", at: at) {
                quarterTurns = byte(at + 4) ?? 0
            }
        }
        return quarterTurns % 2 == 1 ? largest.map { ($0.1, $0.0) } : largest
    }
}
