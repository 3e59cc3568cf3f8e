import CloudModel

/// Reads EXIF: the main directory, its sub-directories, and Apple's note.
struct ExifReader {
    private let tiff: TIFF
    private static let mostDirectories = 16
    /// EXIF defines 32 entries of a place.
    private static let mostPlaces = (directories: 2, entries: 64)

    private enum Role { case main, exif, gps, other }

    init(_ block: Block) throws { tiff = try TIFF(block) }

    private var kept: [Range<Int>] = [0..<8]
    private var visited: Set<Int> = []
    private var places: [TIFF.Directory] = []
    private var waiting: [(Int, Role)] = []

    /// - Parameter appliesOrientation: false where the container has an orientation of its own.
    mutating func read(_ findings: inout Findings, appliesOrientation: Bool) throws {
        findings.hasMetadata = true
        guard let first = tiff.number(4, 4) else { throw MediaFault.truncated }
        waiting = [(first, .main)]
        var isFirst = true
        while let (at, role) = waiting.popLast() {
            guard visited.insert(at).inserted else { throw MediaFault.broken }
            guard visited.count <= Self.mostDirectories else { throw MediaFault.limit }
            let directory = try tiff.directory(at: at)
            if role == .gps {
                places.append(directory)
                guard places.count <= Self.mostPlaces.directories, directory.entries.count <= Self.mostPlaces.entries
                else { throw MediaFault.limit }
            } else {
                keep(directory)
            }
            switch role {
            case .main:
                if isFirst { readMain(directory, &findings, appliesOrientation: appliesOrientation) }
                isFirst = false
                if directory.next != 0 { waiting.append((directory.next, .other)) }
            case .exif: readExif(directory, &findings)
            case .other: if directory.next != 0 { waiting.append((directory.next, .other)) }
            case .gps: break
            }
            follow(directory, &findings)
        }
        readTime(&findings)
        for place in places { readPlace(place, &findings) }
    }

    private var mainTime: TIFF.Entry?
    private var hasPacket = false
    private var exif: TIFF.Directory?

    private mutating func keep(_ directory: TIFF.Directory) {
        kept.append(directory.range)
        for entry in directory.entries where entry.isApart && tiff.block.slice(entry.value, entry.length) != nil {
            kept.append(entry.value..<entry.value + entry.length)
        }
    }

    private mutating func follow(_ directory: TIFF.Directory, _ findings: inout Findings) {
        for entry in directory.entries {
            switch entry.tag {
            case 0x8769: if let at = tiff.integer(entry) { waiting.append((at, .exif)) }
            case 0x8825: if let at = tiff.integer(entry) { waiting.append((at, .gps)) }
            case 0xA005: if let at = tiff.integer(entry) { waiting.append((at, .other)) }
            case 0x02BC where !hasPacket && tiff.block.slice(entry.value, entry.length) != nil:
                hasPacket = true
                let packet = tiff.block.sub(entry.value..<entry.value + entry.length)
                findings.attempt { findings in
                    var xmp = XMPReader(packet)
                    try xmp.read(&findings)
                }
            case 0x02BC: findings.failed(.broken)
            default: break
            }
        }
    }

    private mutating func readMain(
        _ directory: TIFF.Directory, _ findings: inout Findings, appliesOrientation: Bool
    ) {
        if appliesOrientation, let orientation = tiff.integer(directory[0x0112]), (1...8).contains(orientation) {
            findings.orientation = orientation
        }
        findings.facts.camera.make = tiff.text(directory[0x010F])
        findings.facts.camera.model = tiff.text(directory[0x0110])
        mainTime = directory[0x0132]
    }

    private mutating func readExif(_ directory: TIFF.Directory, _ findings: inout Findings) {
        guard exif == nil else { return }
        exif = directory
        findings.facts.camera.lens = tiff.text(directory[0xA434])
        findings.facts.camera.exposure = tiff.rational(directory[0x829A])
        findings.facts.camera.aperture = tiff.rational(directory[0x829D])
        findings.facts.camera.sensitivity = tiff.integer(directory[0x8827])
        findings.facts.camera.focalLength = tiff.rational(directory[0x920A])
        if findings.facts.color == nil, tiff.integer(directory[0xA001]) == 1 { findings.facts.color = .sRGB }
        if let note = directory[0x927C], let bytes = tiff.block.slice(note.value, note.length) {
            findings.facts.contentIdentifier =
                Self.contentIdentifier(Block(Array(bytes), at: 0)) ?? findings.facts.contentIdentifier
        }
    }

    /// The original's time and its offset, else those of digitizing, else the modification's.
    private func readTime(_ findings: inout Findings) {
        let choices = [
            (exif?[0x9003], exif?[0x9011], exif?[0x9291]), (exif?[0x9004], exif?[0x9012], exif?[0x9292]),
            (mainTime, exif?[0x9010], exif?[0x9290]),
        ]
        for (time, offset, fraction) in choices {
            guard let text = tiff.text(time), let parsed = ClockText(text) else { continue }
            let milliseconds = tiff.text(fraction).map { ClockText.milliseconds($0.utf8) } ?? 0
            let clock = parsed.clock + .milliseconds(milliseconds)
            let minutes = tiff.text(offset).flatMap { ClockText.offset($0.utf8) } ?? offsetBySatellites(clock)
            return findings.taken(
                TakenTime(clock: clock, zone: minutes.map { .offset($0) } ?? .unknown, source: .exif))
        }
    }

    /// The difference from the satellites' time, rounded to quarters of an hour.
    private func offsetBySatellites(_ clock: Timestamp) -> Int? {
        guard let gps = places.first, let date = tiff.text(gps[29]), let hour = tiff.rational(gps[7], 0),
            let minute = tiff.rational(gps[7], 1), let second = tiff.rational(gps[7], 2),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second),
            let day = ClockText(date + " 00:00:00")
        else { return nil }
        let utc = day.clock.seconds + hour * 3600 + minute * 60 + second
        let quarters = ((clock.seconds - utc) / 900).rounded()
        guard (-48...56).contains(quarters), abs(clock.seconds - utc - quarters * 900) <= 300 else { return nil }
        return Int(quarters) * 15
    }

    private func readPlace(_ directory: TIFF.Directory, _ findings: inout Findings) {
        if findings.facts.place == nil, let latitude = degrees(directory[2], south: directory[1]),
            let longitude = degrees(directory[4], south: directory[3])
        {
            findings.facts.place = WithheldPlace(latitude: latitude, longitude: longitude)
        }
        remove(directory.range, &findings)
        for entry in directory.entries where entry.isApart {
            if tiff.block.slice(entry.value, entry.length) != nil {
                remove(entry.value..<entry.value + entry.length, &findings)
            } else {
                findings.failed(.truncated)
            }
        }
    }

    /// Zeros, unless the range is also part of what has to stay.
    private func remove(_ range: Range<Int>, _ findings: inout Findings) {
        if kept.contains(where: { $0.overlaps(range) }) { return findings.failed(.broken) }
        findings.removal.add(range, of: tiff.block, 0)
    }

    private func degrees(_ entry: TIFF.Entry?, south: TIFF.Entry?) -> Double? {
        guard let degrees = tiff.rational(entry, 0), let reference = tiff.text(south) else { return nil }
        let value = degrees + (tiff.rational(entry, 1) ?? 0) / 60 + (tiff.rational(entry, 2) ?? 0) / 3600
        return ["S", "W", "s", "w"].contains(reference) ? -value : value
    }

    /// Entry 0x0011 of Apple's note.
    private static func contentIdentifier(_ note: Block) -> String? {
        guard note.has("Apple iOS\u{0}"), note.has("MM", at: 12), let count = note.number(14, 2) else { return nil }
        for at in (0..<min(count, 200)).map({ 16 + $0 * 12 }) where note.number(at, 2) == 0x0011 {
            guard note.number(at + 2, 2) == 2, let length = note.number(at + 4, 4), (5...128).contains(length),
                let value = note.number(at + 8, 4), let bytes = note.slice(value, length)
            else { return nil }
            return plainText(bytes)
        }
        return nil
    }
}
