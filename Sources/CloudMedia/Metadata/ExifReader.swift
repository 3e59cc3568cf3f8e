import CloudModel

/// Reads the directories of EXIF: the main one, those behind it, and those inside.
struct ExifReader {
    private let tiff: TIFF
    private let bounds: Bounds
    private var facts: ExifFacts

    /// The most that is followed. EXIF defines 32 entries of a place.
    private struct Bounds {
        let directories: Int
        let entries: Int
        let packets: Int
        let places = (directories: 2, entries: 64)
    }

    private enum Role { case main, next, inner, exif, gps, other }

    init(_ block: Block) throws {
        tiff = try TIFF(block)
        (bounds, facts) = (Bounds(directories: 16, entries: 16_000, packets: 2), ExifFacts(tiff))
        isFile = false
    }

    /// - Parameter file: a TIFF file, which may have many pages, and pictures inside pictures.
    init(_ file: TIFF) {
        tiff = file
        (bounds, facts) = (Bounds(directories: 1000, entries: 20_000, packets: 16), ExifFacts(tiff))
        isFile = true
    }

    private let isFile: Bool
    private var kept: [Range<Int>] = [0..<8]
    private var visited: [Int: Role] = [:]
    private var entries = 0
    private var places: [TIFF.Directory] = []
    private var waiting: [(Int, Role)] = []
    private var packets: Set<Int> = []
    /// The directories of pictures, the main one first.
    private(set) var pictures: [(directory: TIFF.Directory, isInner: Bool)] = []

    /// - Parameter appliesOrientation: false where the container has an orientation of its own.
    mutating func read(_ findings: inout Findings, appliesOrientation: Bool) throws {
        findings.hasMetadata = true
        guard let first = try tiff.number(4, 4) else { throw MediaFault.truncated }
        waiting = [(first, .main)]
        while let (at, role) = waiting.popLast() {
            if isFile, let known = visited[at], known == role, role == .exif || role == .gps { continue }
            guard visited.updateValue(role, forKey: at) == nil else { throw MediaFault.broken }
            guard visited.count <= bounds.directories else { throw MediaFault.limit }
            let directory = try tiff.directory(at: at)
            try note(directory, role)
            switch role {
            case .main: try facts.readMain(directory, &findings, appliesOrientation: appliesOrientation)
            case .exif: try facts.readExif(directory, &findings)
            case .next, .inner, .other, .gps: break
            }
            if directory.next != 0 {
                switch role {
                case .main, .next: waiting.append((directory.next, .next))
                case .inner: waiting.append((directory.next, .inner))
                case .other: waiting.append((directory.next, .other))
                case .exif, .gps: break
                }
            }
            for entry in directory.entries { try follow(entry, &findings) }
        }
        try facts.readTime(place: places.first, &findings)
        for place in places { try readPlace(place, &findings) }
    }

    private mutating func note(_ directory: TIFF.Directory, _ role: Role) throws {
        entries += directory.entries.count
        guard entries <= bounds.entries else { throw MediaFault.limit }
        if role == .gps {
            places.append(directory)
            guard places.count <= bounds.places.directories, directory.entries.count <= bounds.places.entries
            else { throw MediaFault.limit }
            return
        }
        if isFile, role == .main || role == .next || role == .inner { pictures.append((directory, role == .inner)) }
        kept.append(directory.range)
        for entry in directory.entries where entry.isApart && tiff.has(entry) {
            kept.append(entry.value..<entry.value + entry.length)
        }
    }

    private mutating func follow(_ entry: TIFF.Entry, _ findings: inout Findings) throws {
        switch entry.tag {
        case 0x8769: try wait(for: entry, as: .exif)
        case 0x8825: try wait(for: entry, as: .gps)
        case 0xA005: try wait(for: entry, as: .other)
        case 0x014A where isFile: try wait(for: entry, as: .inner)
        case 0x02BC:
            try readBlock(entry, &findings) { packet, findings in
                var xmp = XMPReader(packet)
                try xmp.read(&findings)
            }
        case 0x83BB: try readBlock(entry, &findings) { try IPTCReader($0).read(&$1) }
        // Resources may hold EXIF, which is not searched for more of them.
        case 0x8649 where isFile: try readBlock(entry, &findings) { try PhotoshopResources($0).read(&$1) }
        default: break
        }
    }

    private mutating func wait(for entry: TIFF.Entry, as role: Role) throws {
        let many = role == .inner ? entry.count : 1
        guard many <= bounds.directories else { throw MediaFault.limit }
        for index in 0..<many {
            guard let at = try tiff.integer(entry, index) else {
                if isFile { throw MediaFault.broken }
                return
            }
            // Pages may share directories.
            guard waiting.count < 4 * bounds.directories else { throw MediaFault.limit }
            waiting.append((at, role))
        }
    }

    /// Reads XMP or records that are the value of an entry.
    private mutating func readBlock(
        _ entry: TIFF.Entry, _ findings: inout Findings, _ body: (Block, inout Findings) throws -> Void
    ) throws {
        guard packets.insert(entry.value).inserted else { return }
        guard packets.count <= bounds.packets else { return findings.failed(.limit) }
        let tiff = tiff
        findings.attempt { findings in
            guard entry.length > 0 || entry.count == 0, let block = try tiff.block(of: entry) else {
                throw MediaFault.broken
            }
            try body(block, &findings)
        }
    }

    private func readPlace(_ directory: TIFF.Directory, _ findings: inout Findings) throws {
        if findings.facts.place == nil, let latitude = try degrees(directory[2], south: directory[1]),
            let longitude = try degrees(directory[4], south: directory[3])
        {
            findings.facts.place = WithheldPlace(latitude: latitude, longitude: longitude)
        }
        remove(directory.range, &findings)
        for entry in directory.entries where entry.isApart {
            if tiff.has(entry) {
                remove(entry.value..<entry.value + entry.length, &findings)
            } else {
                findings.failed(.truncated)
            }
        }
    }

    /// Zeros, unless the range is also part of what has to stay.
    private func remove(_ range: Range<Int>, _ findings: inout Findings) {
        if kept.contains(where: { $0.overlaps(range) }) { return findings.failed(.broken) }
        for part in tiff.bytes.fileRanges(range) { findings.removal.add(part, 0) }
    }

    private func degrees(_ entry: TIFF.Entry?, south: TIFF.Entry?) throws -> Double? {
        guard let degrees = try tiff.rational(entry, 0), let reference = try tiff.text(south) else { return nil }
        let value = degrees + (try tiff.rational(entry, 1) ?? 0) / 60 + (try tiff.rational(entry, 2) ?? 0) / 3600
        return ["S", "W", "s", "w"].contains(reference) ? -value : value
    }
}
