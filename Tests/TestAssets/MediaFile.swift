/// Small pictures and videos with the metadata that phones write, made by hand.
package struct MediaFile: Sendable {
    /// Digits of the clock, as `2026:06:14 23:30:00`; nil for none.
    package var time: String?
    /// As `+09:00`.
    package var offset: String?
    /// True for the file to tell 52.5° N, 13.4° E.
    package var hasPlace: Bool
    /// The identifier that both halves of a Live Photo carry.
    package var identifier: String?

    package init(time: String? = nil, offset: String? = nil, hasPlace: Bool = false, identifier: String? = nil) {
        (self.time, self.offset, self.hasPlace, self.identifier) = (time, offset, hasPlace, identifier)
    }

    /// A JPEG of 400 × 300 pixels without any.
    package static let blank: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0] + big(17, 2) + [8] + big(300, 2) + big(400, 2)
        + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA] + big(8, 2) + [1, 1, 0, 0, 63, 0, 1, 2, 3, 0xFF, 0xD9]

    /// A JPEG with the metadata.
    ///
    /// - Parameter picture: a JPEG without metadata.
    package func photo(_ picture: [UInt8] = Self.blank) -> [UInt8] {
        let body = Array("Exif\0\0".utf8) + exif
        return Array(picture[..<2]) + [0xFF, 0xE1] + Self.big(body.count + 2, 2) + body + Array(picture[2...])
    }

    /// A JPEG whose video follows the picture.
    package func motionPhoto(_ picture: [UInt8] = Self.blank, video: [UInt8]) -> [UInt8] {
        let items = [
            #"Item:Mime="image/jpeg" Item:Semantic="Primary""#,
            #"Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="\#(video.count)""#,
        ].map { "<rdf:li rdf:parseType=\"Resource\"><Container:Item \($0)/></rdf:li>" }.joined()
        let packet =
            "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description "
            + "xmlns:Camera=\"http://ns.google.com/photos/1.0/camera/\" Camera:MotionPhoto=\"1\"><Container:Directory>"
            + "<rdf:Seq>\(items)</rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>"
        let body = Array(packet.utf8)
        let still = photo(picture)
        return Array(still[..<2]) + [0xFF, 0xE1] + Self.big(body.count + 2, 2) + body + Array(still[2...]) + video
    }

    /// A JPEG that says that it has a gain map.
    package static func withGainMap(_ picture: [UInt8] = Self.blank) -> [UInt8] {
        let packet =
            "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description "
            + "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\"/></rdf:RDF></x:xmpmeta>"
        let body = Array(packet.utf8)
        return Array(picture[..<2]) + [0xFF, 0xE1] + big(body.count + 2, 2) + body + Array(picture[2...])
    }

    /// A QuickTime movie of 2.5 seconds and 1,920 × 1,080 pixels with the metadata, the time with its offset.
    ///
    /// - Parameter brand: the type of the file; that of QuickTime if nothing else is said.
    package func movie(brand: String = "qt  ") -> [UInt8] {
        var keys: [(String, String)] = []
        if let identifier { keys.append(("com.apple.quicktime.content.identifier", identifier)) }
        if let time {
            let (day, clock) = (time.prefix(10).replacing(":", with: "-"), time.dropFirst(11))
            keys.append(("com.apple.quicktime.creationdate", "\(day)T\(clock)\(offset ?? "")"))
        }
        if hasPlace { keys.append(("com.apple.quicktime.location.ISO6709", "+52.5000+013.4000/")) }
        let zeros = { [UInt8](repeating: 0, count: $0) }
        let matrix = [1, 0, 0, 0, 1, 0].flatMap { Self.big($0 << 16, 4) }
        let shown = Self.big(1920 << 16, 4) + Self.big(1080 << 16, 4)
        let header = Self.box("tkhd", zeros(40) + matrix + zeros(12) + shown)
        let sample = Self.box(
            "avc1",
            zeros(24) + Self.big(1920, 2) + Self.big(1080, 2) + zeros(50) + Self.box("avcC", [1, 0x64, 0, 0x28]))
        let table = Self.box("stbl", Self.box("stsd", zeros(4) + Self.big(1, 4) + sample))
        let handler = Self.box("hdlr", zeros(4) + Array("mhlrvide".utf8) + zeros(13))
        let track = Self.box("trak", header + Self.box("mdia", handler + Self.box("minf", table)))
        let start = Self.box("mvhd", zeros(12) + Self.big(600, 4) + Self.big(1500, 4) + zeros(80))
        let brand = Array(brand.utf8)
        return Self.box("ftyp", brand + Self.big(0x200, 4) + brand) + Self.box("mdat", [UInt8](repeating: 9, count: 64))
            + Self.box("moov", start + track + (keys.isEmpty ? [] : Self.metadata(keys)))
    }

    private static func metadata(_ keys: [(String, String)]) -> [UInt8] {
        let names = keys.flatMap { big($0.0.utf8.count + 8, 4) + Array("mdta".utf8) + Array($0.0.utf8) }
        let values = keys.enumerated().flatMap { index, key in
            let data = box("data", big(1, 4) + big(0, 4) + Array(key.1.utf8))
            return big(data.count + 8, 4) + big(index + 1, 4) + data
        }
        let handler = box("hdlr", big(0, 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13))
        let list = box("keys", big(0, 4) + big(keys.count, 4) + names) + box("ilst", values)
        return box("meta", big(0, 4) + handler + list)
    }

    // MARK: EXIF

    private struct Entry {
        let (tag, type, count): (Int, Int, Int)
        let value: [UInt8]

        static func text(_ tag: Int, _ text: String) -> Entry {
            Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
        }

        static func long(_ tag: Int, _ value: Int) -> Entry {
            Entry(tag: tag, type: 4, count: 1, value: MediaFile.big(value, 4))
        }

        static func ratios(_ tag: Int, _ values: [(Int, Int)]) -> Entry {
            Entry(
                tag: tag, type: 5, count: values.count,
                value: values.flatMap { MediaFile.big($0.0, 4) + MediaFile.big($0.1, 4) })
        }
    }

    var exif: [UInt8] {
        var details: [Entry] = [.ratios(0x829A, [(1, 250)]), .ratios(0x829D, [(18, 10)])]
        if let time { details.append(.text(0x9003, time)) }
        if let offset { details.append(.text(0x9011, offset)) }
        if let identifier {
            let note =
                Array("Apple iOS\0\0\u{1}MM".utf8) + [0, 1, 0, 0x11, 0, 2] + Self.big(identifier.utf8.count + 1, 4)
                + Self.big(32, 4) + Self.big(0, 4) + Array(identifier.utf8) + [0]
            details.append(Entry(tag: 0x927C, type: 7, count: note.count, value: note))
        }
        let place: [Entry] = [
            .text(1, "N"), .ratios(2, [(52, 1), (30, 1), (0, 1)]), .text(3, "E"),
            .ratios(4, [(13, 1), (24, 1), (0, 1)]),
        ]
        func main(_ details: Int, _ place: Int) -> [Entry] {
            [.text(0x010F, "Acme"), .text(0x0110, "Acme One"), .long(0x8769, details)]
                + (hasPlace ? [.long(0x8825, place)] : [])
        }
        let detailsAt = 8 + Self.directory(main(0, 0), at: 8).count
        let placeAt = detailsAt + Self.directory(details, at: detailsAt).count
        return Array("MM\0*".utf8) + Self.big(8, 4) + Self.directory(main(detailsAt, placeAt), at: 8)
            + Self.directory(details, at: detailsAt) + (hasPlace ? Self.directory(place, at: placeAt) : [])
    }

    private static func directory(_ entries: [Entry], at: Int) -> [UInt8] {
        var (list, apart): ([UInt8], [UInt8]) = ([], [])
        let apartAt = at + 6 + entries.count * 12
        for entry in entries {
            list += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4)
            if entry.value.count <= 4 {
                list += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                list += big(apartAt + apart.count, 4)
                apart += entry.value + [UInt8](repeating: 0, count: entry.value.count & 1)
            }
        }
        return big(entries.count, 2) + list + big(0, 4) + apart
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(body.count + 8, 4) + Array(type.utf8) + body
    }

    static func big(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
