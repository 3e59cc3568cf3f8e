/// Reads an XMP packet.
struct XMPReader {
    private let packet: Block
    private var texts: [XMLScanner.Name: String] = [:]
    private var part: [String: String] = [:]
    /// How many open elements belong to a place.
    private var depthInPlace = 0

    init(_ packet: Block) { self.packet = packet }

    mutating func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        // Packets in UTF-16 and UTF-32 are as good as unknown.
        guard !packet.bytes.prefix(64).contains(0) else { throw MediaFault.broken }
        let end = packet.bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        var scanner = XMLScanner(Array(packet.bytes[..<end]))
        defer { tell(&findings) }
        while let event = try scanner.next() {
            switch event {
            case .start(let element): started(element, &findings)
            case .end(let element): ended(element, &findings)
            }
        }
    }

    private mutating func started(_ element: XMLScanner.Element, _ findings: inout Findings) {
        if element.name.local == "li" { part = [:] }
        let isInPlace = depthInPlace > 0 || Self.isPlace(element.name)
        if isInPlace { depthInPlace += 1 }
        for attribute in element.attributes {
            note(attribute.name, attribute.value)
            let holdsStructure =
                ["xmlns", "xml"].contains(attribute.name.prefix) || attribute.name.local == "parseType"
            if isInPlace ? !holdsStructure && attribute.name.local != "xmlns" : Self.isPlace(attribute.name) {
                blank(attribute.value, &findings)
            }
        }
    }

    private mutating func ended(_ element: XMLScanner.Element, _ findings: inout Findings) {
        if element.isLeaf { note(element.name, element.content) }
        if element.name.local == "li" { endPart(&findings) }
        guard depthInPlace > 0 else { return }
        depthInPlace -= 1
        if depthInPlace == 0 { blank(element.content, &findings) }
    }

    private func blank(_ range: Range<Int>, _ findings: inout Findings) {
        findings.removal.add(range, of: packet, UInt8(ascii: " "))
    }

    /// Names of properties that tell a place, whatever their schema: EXIF, IPTC, Photoshop and makers of drones.
    private static func isPlace(_ name: XMLScanner.Name) -> Bool {
        guard name.prefix != "xmlns" else { return false }
        let local = name.local.lowercased()
        return local.hasPrefix("gps") || local.contains("latitude") || local.contains("longitude")
            || local.hasPrefix("location") || placeNames.contains(local)
    }

    private static let placeNames: Set<String> = [
        "city", "state", "country", "countrycode", "countryname", "sublocation", "provincestate", "worldregion",
    ]

    private mutating func note(_ name: XMLScanner.Name, _ range: Range<Int>) {
        guard range.count <= 256, texts.count < 4096, let text = plainText(packet.bytes[range]) else { return }
        if ["Semantic", "Length", "Padding"].contains(name.local) { part[name.local] = text }
        if texts[name] == nil { texts[name] = text }
    }

    private mutating func endPart(_ findings: inout Findings) {
        guard let semantic = part["Semantic"], findings.parts.count <= Findings.mostParts else { return }
        let (length, padding) = (part["Length"].flatMap { Int($0) } ?? 0, part["Padding"].flatMap { Int($0) } ?? 0)
        if length >= 0, padding >= 0 {
            findings.parts.append(ContainerPart(semantic: semantic, length: length, padding: padding))
        }
        part = [:]
    }

    private func text(_ local: String, _ prefixes: String...) -> String? {
        prefixes.lazy.compactMap { texts[XMLScanner.Name(prefix: $0, local: local)] }.first
    }

    private func tell(_ findings: inout Findings) {
        if text("Version", "hdrgm") != nil { findings.facts.hdr = .gainMap(.ultraHDR) }
        if text("HDRGainMapVersion", "HDRGainMap", "apdi") != nil { findings.facts.hdr = .gainMap(.apple) }
        if text("MotionPhoto", "Camera", "GCamera") == "1",
            let part = findings.parts.last(where: { $0.semantic == "MotionPhoto" && $0.length > 0 })
        {
            findings.motionLength = part.length
        } else if text("MicroVideo", "Camera", "GCamera") == "1" {
            findings.motionLength = text("MicroVideoOffset", "Camera", "GCamera").flatMap { Int($0) }
        }
        let time =
            text("DateTimeOriginal", "exif") ?? text("DateCreated", "photoshop") ?? text("CreateDate", "xmp", "xap")
        if let time, let parsed = ClockText(time) {
            let zone = parsed.offset.map { TakenTime.Zone.offset($0) } ?? .unknown
            findings.taken(TakenTime(clock: parsed.clock, zone: zone, source: .xmp))
        }
        if findings.facts.place == nil, let latitude = text("GPSLatitude", "exif").flatMap(Self.degrees),
            let longitude = text("GPSLongitude", "exif").flatMap(Self.degrees)
        {
            findings.facts.place = WithheldPlace(latitude: latitude, longitude: longitude)
        }
    }

    /// Degrees of `52,30.5N` and `52,30,30N`.
    private static func degrees(_ text: String) -> Double? {
        guard let direction = text.last, "NSEW".contains(direction) else { return nil }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
        let value = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + ($1.0 ?? 0) / $1.1 }
        return "SW".contains(direction) ? -value : value
    }
}
