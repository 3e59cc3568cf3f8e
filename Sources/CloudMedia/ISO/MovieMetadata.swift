import CloudModel

/// Reads what movies tell in `meta`, `udta` and `uuid` boxes.
enum MovieMetadata {
    private static let mostKeys = 1000
    private static let longestText = 4096

    static func read(_ box: Box, _ findings: inout Findings) throws {
        findings.hasMetadata = true
        switch box.type {
        case "meta": try readMeta(box.body, &findings)
        case "uuid": try readUUID(box, &findings)
        default: try readUserData(box.body, &findings)
        }
    }

    /// XMP has a box of its own. Canon's has a directory of positions.
    static func readUUID(_ box: Box, _ findings: inout Findings) throws {
        switch latin(try box.body.bytes(0, 16)) {
        case "\u{BE}\u{7A}\u{CF}\u{CB}\u{97}\u{A9}\u{42}\u{E8}\u{9C}\u{71}\u{99}\u{94}\u{91}\u{E3}\u{AF}\u{AC}":
            var xmp = XMPReader(try box.body.span(from: 16).block())
            try xmp.read(&findings)
        case "\u{85}\u{C0}\u{B6}\u{87}\u{82}\u{0F}\u{11}\u{E0}\u{81}\u{11}\u{F4}\u{CE}\u{46}\u{2B}\u{6A}\u{48}":
            findings.removal.isCertain = false
        default: break
        }
    }

    private static func readUserData(_ body: Span, _ findings: inout Findings) throws {
        var boxes = Boxes(body)
        while let box = try boxes.next() {
            switch box.type {
            case "\u{A9}xyz":
                let length = try box.body.big(0, 2)
                place(plainText(try box.body.bytes(4, min(length, longestText))), &findings)
                remove(box, &findings)
            case "loci":
                findings.attempt { try readLocation(box.body.block(most: longestText), &$0) }
                remove(box, &findings)
            case "\u{A9}day":
                let length = try box.body.big(0, 2)
                time(plainText(try box.body.bytes(4, min(length, longestText))), &findings)
            case "XMP_":
                findings.attempt { findings in
                    var xmp = XMPReader(try box.body.block())
                    try xmp.read(&findings)
                }
            // Notes of makers, which may tell positions.
            case "GPMF", "gps ", "GPS ", "NCDT", "PANA", "LEIC": findings.removal.isCertain = false
            case "meta": findings.attempt { try readMeta(box.body, &$0) }
            default: break
            }
        }
    }

    /// 3GPP's location: language, name, role, then longitude and latitude as fixed-point numbers.
    private static func readLocation(_ body: Block, _ findings: inout Findings) throws {
        guard body.count > 6, let name = body.bytes[6...].firstIndex(of: 0), let longitude = body.number(name + 2, 4),
            let latitude = body.number(name + 6, 4)
        else { throw MediaFault.truncated }
        func degrees(_ bits: Int) -> Double { Double(Int32(truncatingIfNeeded: bits)) / 65_536 }
        let place = WithheldPlace(latitude: degrees(latitude), longitude: degrees(longitude))
        findings.facts.place = findings.facts.place ?? place
    }

    /// A free box of zeros takes its place.
    private static func remove(_ box: Box, _ findings: inout Findings) {
        findings.removal.add(box.typeAt, Array("free".utf8))
        findings.removal.add(box.body.range, 0)
    }

    /// In QuickTime the box has neither version nor flags.
    private static func readMeta(_ body: Span, _ findings: inout Findings) throws {
        let boxes = try Boxes.all(body.has("hdlr", at: 4) ? body : body.span(from: 4))
        let keys = try boxes.first { $0.type == "keys" }.map { try readKeys($0.body) } ?? []
        for list in boxes where list.type == "ilst" {
            for entry in try Boxes.all(list.body) {
                let index = entry.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
                let key = keys.indices.contains(index - 1) ? keys[index - 1] : entry.type
                for value in try Boxes.all(entry.body) where value.type == "data" {
                    try readValue(key, value.body, &findings)
                }
            }
        }
        for box in boxes where box.type == "uuid" { try readUUID(box, &findings) }
    }

    private static func readKeys(_ body: Span) throws -> [String] {
        let count = try body.big(4, 4)
        guard count <= mostKeys else { throw MediaFault.limit }
        var (at, keys) = (8, [String]())
        for _ in 0..<count {
            let length = try body.big(at, 4)
            guard length >= 8 else { throw MediaFault.broken }
            keys.append(latin(try body.span(at + 8, length - 8).bytes(0, min(length - 8, 256))))
            at += length
        }
        return keys
    }

    /// A value follows its type and its locale.
    private static func readValue(_ key: String, _ body: Span, _ findings: inout Findings) throws {
        let value = try body.span(from: 8)
        let isText = try body.big(0, 4) == 1
        let text = isText ? plainText(try value.bytes(0, min(value.count, longestText))) : nil
        switch key {
        case "com.apple.quicktime.creationdate", "\u{A9}day": time(text, &findings)
        case "com.apple.quicktime.content.identifier": findings.facts.contentIdentifier = text
        case "com.apple.quicktime.make": findings.facts.camera.make = text
        case "com.apple.quicktime.model": findings.facts.camera.model = text
        case "com.apple.quicktime.location.ISO6709", "\u{A9}xyz": place(text, &findings)
        default: break
        }
        let name = key.lowercased()
        if key == "\u{A9}xyz" || ["location", "gps", "latitude", "longitude"].contains(where: name.contains) {
            findings.removal.add(value.range, isText ? UInt8(ascii: " ") : 0)
        }
    }

    private static func time(_ text: String?, _ findings: inout Findings) {
        guard let text, let parsed = ClockText(text) else { return }
        let zone = parsed.offset.map { TakenTime.Zone.offset($0) } ?? .unknown
        findings.taken(TakenTime(clock: parsed.clock, zone: zone, source: .quickTime))
    }

    private static func place(_ text: String?, _ findings: inout Findings) {
        findings.facts.place = findings.facts.place ?? text.flatMap(WithheldPlace.init(iso6709:))
    }
}
