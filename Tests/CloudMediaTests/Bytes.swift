/// Builders of file structures.
enum Bytes {
    static func big(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }

    /// Latin-1 text.
    static func text(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap { $0 }
        return big(body.count + 8, 4) + text(type) + body
    }

    static func full(_ type: String, version: Int = 0, flags: Int = 0, _ parts: [UInt8]...) -> [UInt8] {
        box(type, big(version << 24 | flags, 4) + parts.flatMap { $0 })
    }
}

/// One entry of a TIFF directory, big-endian.
struct Tag {
    let tag: Int
    let type: Int
    let count: Int
    let value: [UInt8]

    static func short(_ tag: Int, _ value: Int) -> Tag { Tag(tag: tag, type: 3, count: 1, value: Bytes.big(value, 2)) }
    static func long(_ tag: Int, _ value: Int) -> Tag { Tag(tag: tag, type: 4, count: 1, value: Bytes.big(value, 4)) }

    static func ascii(_ tag: Int, _ text: String) -> Tag {
        let value = Bytes.text(text) + [0]
        return Tag(tag: tag, type: 2, count: value.count, value: value)
    }

    static func rational(_ tag: Int, _ values: (Int, Int)...) -> Tag {
        Tag(tag: tag, type: 5, count: values.count, value: values.flatMap { Bytes.big($0.0, 4) + Bytes.big($0.1, 4) })
    }

    static func raw(_ tag: Int, _ bytes: [UInt8]) -> Tag { Tag(tag: tag, type: 7, count: bytes.count, value: bytes) }
}

/// EXIF as a TIFF structure.
struct Exif {
    var orientation = 1
    var time: String? = "2026:06:14 23:30:00"
    var offset: String? = "+09:00"
    var gps: [Tag]?
    var note: [UInt8]?

    static let berlin: [Tag] = [
        .ascii(1, "N"), .rational(2, (52, 1), (30, 1), (0, 1)), .ascii(3, "E"), .rational(4, (13, 1), (24, 1), (0, 1)),
        .rational(7, (14, 1), (30, 1), (5, 1)), .ascii(29, "2026:06:14"),
    ]

    static func appleNote(_ identifier: String) -> [UInt8] {
        Bytes.text("Apple iOS\u{0}\u{0}\u{1}MM") + Bytes.big(1, 2) + Bytes.big(0x11, 2) + Bytes.big(2, 2)
            + Bytes.big(identifier.utf8.count + 1, 4) + Bytes.big(32, 4) + Bytes.big(0, 4) + Bytes.text(identifier) + [
                0
            ]
    }

    var bytes: [UInt8] {
        var main: [Tag] = [.ascii(0x010F, "Acme"), .ascii(0x0110, "Camera 1"), .short(0x0112, orientation)]
        var details: [Tag] = [.rational(0x829A, (1, 250)), .short(0x8827, 100)]
        if let time { details.append(.ascii(0x9003, time)) }
        if let offset { details.append(.ascii(0x9011, offset)) }
        if let note { details.append(.raw(0x927C, note)) }
        main.append(.long(0x8769, 0))
        if gps != nil { main.append(.long(0x8825, 0)) }
        let start = 8
        let detailsAt = start + Self.directory(main, at: start).count
        let gpsAt = detailsAt + Self.directory(details, at: detailsAt).count
        main = main.map { $0.tag == 0x8769 ? .long(0x8769, detailsAt) : $0.tag == 0x8825 ? .long(0x8825, gpsAt) : $0 }
        return Bytes.text("MM\u{0}*") + Bytes.big(8, 4) + Self.directory(main, at: start)
            + Self.directory(details, at: detailsAt) + (gps.map { Self.directory($0, at: gpsAt) } ?? [])
    }

    static func directory(_ tags: [Tag], at: Int, next: Int = 0) -> [UInt8] {
        var (entries, apart): ([UInt8], [UInt8]) = ([], [])
        let apartAt = at + 2 + tags.count * 12 + 4
        for tag in tags {
            entries += Bytes.big(tag.tag, 2) + Bytes.big(tag.type, 2) + Bytes.big(tag.count, 4)
            if tag.value.count <= 4 {
                entries += tag.value + [UInt8](repeating: 0, count: 4 - tag.value.count)
            } else {
                entries += Bytes.big(apartAt + apart.count, 4)
                apart += tag.value + [UInt8](repeating: 0, count: tag.value.count & 1)
            }
        }
        return Bytes.big(tags.count, 2) + entries + Bytes.big(next, 4) + apart
    }
}
