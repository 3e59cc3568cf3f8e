/// Reads a HEIC or AVIF file. Its own properties rule over the orientation of EXIF.
struct StillReader {
    private let file: Span

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        var boxes = Boxes(file)
        var hasItems = false
        while let box = try boxes.next() {
            findings.attempt { findings in
                switch box.type {
                case "meta":
                    guard !hasItems else { throw MediaFault.broken }
                    hasItems = true
                    findings.hasMetadata = true
                    try readItems(ItemTable(box.content()), &findings)
                case "mpvd": try readMotion(box.body, &findings)
                case "moov": MovieReader(file).readInside(box, &findings)
                case "uuid": try MovieMetadata.readUUID(box, &findings)
                // Samsung's trailer may hold a video.
                case "sefd": findings.removal.isCertain = false
                default: break
                }
            }
        }
    }

    private func readItems(_ table: ItemTable, _ findings: inout Findings) throws {
        // Metadata first: its place is to be found even if the picture is broken.
        for item in table.items {
            if item.type == "Exif" { findings.attempt { try readExif(table.contents(of: item.id, in: file), &$0) } }
            if item.type == "mime", item.contentType == "application/rdf+xml" {
                findings.attempt { findings in
                    guard item.coding.isEmpty else { throw MediaFault.broken }
                    var xmp = XMPReader(try table.contents(of: item.id, in: file))
                    try xmp.read(&findings)
                }
            }
        }
        guard let primary = table.primary, let item = table.item(primary) else { throw MediaFault.broken }
        findings.facts.codec =
            ["grid", "iden", "iovl", "tmap"].contains(item.type)
            ? table.firstPart(of: primary)?.type : item.type
        try readPicture(table.properties(of: primary), &findings)
        try readGainMap(table, &findings)
    }

    /// The position of the TIFF header stands in front.
    private func readExif(_ contents: Block, _ findings: inout Findings) throws {
        guard let offset = contents.number(0, 4), offset <= contents.count - 4 else { throw MediaFault.truncated }
        var exif = try ExifReader(contents.sub(4 + offset..<contents.count))
        try exif.read(&findings, appliesOrientation: false)
    }

    /// Properties apply in their order: extent, clean aperture, rotation.
    private func readPicture(_ properties: [Box], _ findings: inout Findings) throws {
        // EXIF's guess gives way.
        if properties.contains(where: { $0.type == "colr" }) { findings.facts.color = nil }
        for property in properties {
            switch property.type {
            case "ispe":
                guard try findings.setSize(property.body.big(4, 4), property.body.big(8, 4)) else {
                    throw MediaFault.broken
                }
            case "clap": try readAperture(property.body, &findings)
            case "irot":
                if try property.body.big(0, 1) & 1 == 1, let stored = findings.stored {
                    findings.stored = (stored.height, stored.width)
                }
            case "colr": try ColorBox.read(property.body, &findings)
            default: break
            }
        }
    }

    private func readAperture(_ body: Span, _ findings: inout Findings) throws {
        let values = try [0, 4, 8, 12].map { try body.big($0, 4) }
        guard let stored = findings.stored, values[1] > 0, values[3] > 0 else { throw MediaFault.broken }
        let (width, height) = (values[0] / values[1], values[2] / values[3])
        guard (1...stored.width).contains(width), (1...stored.height).contains(height) else { throw MediaFault.broken }
        findings.stored = (width, height)
    }

    private func readGainMap(_ table: ItemTable, _ findings: inout Findings) throws {
        guard findings.facts.hdr == .standard else { return }
        if table.items.contains(where: { $0.type == "tmap" }) { return findings.facts.hdr = .gainMap(.toneMap) }
        for item in table.items where item.id != table.primary {
            for property in table.properties(of: item.id) where property.type == "auxC" {
                if try property.body.has("urn:com:apple:photo:2020:aux:hdrgainmap", at: 4) {
                    return findings.facts.hdr = .gainMap(.apple)
                }
            }
        }
    }

    private func readMotion(_ video: Span, _ findings: inout Findings) throws {
        guard try video.has("ftyp", at: 4) else { throw MediaFault.broken }
        findings.facts.motion = video.range
        MovieReader(video).readInside(&findings)
    }
}
