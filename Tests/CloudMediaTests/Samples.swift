/// Small files of each kind: whole metadata, no pixels.
enum Samples {
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + Bytes.big(body.count + 2, 2) + body
    }

    static func exif(_ exif: Exif) -> [UInt8] { segment(0xE1, Bytes.text("Exif\u{0}\u{0}") + exif.bytes) }

    static func xmp(_ packet: String) -> [UInt8] {
        segment(0xE1, Bytes.text("http://ns.adobe.com/xap/1.0/\u{0}") + Array(packet.utf8))
    }

    static func jpeg(
        _ segments: [[UInt8]] = [exif(Exif())], width: Int = 400, height: Int = 300, progressive: Bool = false
    ) -> [UInt8] {
        let frame = segment(
            progressive ? 0xC2 : 0xC0,
            [8] + Bytes.big(height, 2) + Bytes.big(width, 2) + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
        return [0xFF, 0xD8] + segments.flatMap { $0 } + frame + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [
            1, 2, 3, 0xFF, 0xD9,
        ]
    }

    static func packet(attributes: String = "", content: String = "") -> String {
        """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
        xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
        xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:Camera='http://ns.google.com/photos/1.0/camera/' \
        xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' \(attributes)>\(content)</rdf:Description></rdf:RDF>\
        </x:xmpmeta><?xpacket end='w'?>
        """
    }

    static func container(_ parts: [(semantic: String, length: Int)]) -> String {
        let items = parts.map {
            "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='image/jpeg' Item:Semantic='\($0.semantic)' "
                + "Item:Length='\($0.length)' Item:Padding='0'/></rdf:li>"
        }
        return "<Container:Directory><rdf:Seq>\(items.joined())</rdf:Seq></Container:Directory>"
    }

    static let placePacket = packet(
        attributes:
            "exif:GPSLatitude='52,30.0N' exif:GPSLongitude=\"13,24.0E\" exif:DateTimeOriginal='2026-06-14T23:30:00'",
        content: "<Iptc4xmpExt:LocationCreated rdf:parseType='Resource'><Iptc4xmpExt:City>Berlin</Iptc4xmpExt:City>"
            + "</Iptc4xmpExt:LocationCreated><dc:title>Lake</dc:title>")

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let named = Bytes.text(type) + body
        return Bytes.big(body.count, 4) + named + Bytes.big(Int(checksum(named)), 4)
    }

    /// ISO 3309, bit by bit.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = ~0
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    static func png(_ chunks: [[UInt8]] = [], width: Int = 400, height: Int = 300) -> [UInt8] {
        Bytes.text("\u{89}PNG\r\n\u{1A}\n")
            + chunk("IHDR", Bytes.big(width, 4) + Bytes.big(height, 4) + [8, 2, 0, 0, 0]) + chunks.flatMap { $0 }
            + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }

    static func riff(_ chunks: [(String, [UInt8])], form: String = "WEBP") -> [UInt8] {
        var body: [UInt8] = []
        for (name, bytes) in chunks {
            body += Bytes.text(name)
            body += Bytes.little(bytes.count, 4)
            body += bytes
            if bytes.count & 1 == 1 { body.append(0) }
        }
        return Bytes.text("RIFF") + Bytes.little(body.count + 4, 4) + Bytes.text(form) + body
    }

    static let vp8: (String, [UInt8]) = (
        "VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + Bytes.little(400, 2) + Bytes.little(300, 2) + [0, 0]
    )
    static let vp8l: (String, [UInt8]) = ("VP8L", [0x2F] + Bytes.little(399 | 299 << 14, 4) + [0])

    static func webp(_ more: [(String, [UInt8])]) -> [UInt8] {
        riff([("VP8X", [8, 0, 0, 0] + Bytes.little(399, 3) + Bytes.little(299, 3)), vp8] + more)
    }
}
