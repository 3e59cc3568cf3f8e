import CloudModel

/// What EXIF tells of camera and time, and what Apple's note tells.
struct ExifFacts {
    private let tiff: TIFF
    private var mainTime: TIFF.Entry?
    private var exif: TIFF.Directory?

    init(_ tiff: TIFF) { self.tiff = tiff }

    mutating func readMain(
        _ directory: TIFF.Directory, _ findings: inout Findings, appliesOrientation: Bool
    ) throws {
        if appliesOrientation, let orientation = try tiff.integer(directory[0x0112]), (1...8).contains(orientation) {
            findings.orientation = orientation
        }
        findings.facts.camera.make = try tiff.text(directory[0x010F])
        findings.facts.camera.model = try tiff.text(directory[0x0110])
        mainTime = directory[0x0132]
    }

    mutating func readExif(_ directory: TIFF.Directory, _ findings: inout Findings) throws {
        guard exif == nil else { return }
        exif = directory
        findings.facts.camera.lens = try tiff.text(directory[0xA434])
        findings.facts.camera.exposure = try tiff.rational(directory[0x829A])
        findings.facts.camera.aperture = try tiff.rational(directory[0x829D])
        findings.facts.camera.sensitivity = try tiff.integer(directory[0x8827])
        findings.facts.camera.focalLength = try tiff.rational(directory[0x920A])
        if findings.facts.color == nil, try tiff.integer(directory[0xA001]) == 1 { findings.facts.color = .sRGB }
        if let note = directory[0x927C] {
            findings.facts.contentIdentifier = try contentIdentifier(note) ?? findings.facts.contentIdentifier
        }
    }

    /// The original's time and its offset, else those of digitizing, else the modification's.
    func readTime(place: TIFF.Directory?, _ findings: inout Findings) throws {
        let choices = [
            (exif?[0x9003], exif?[0x9011], exif?[0x9291]), (exif?[0x9004], exif?[0x9012], exif?[0x9292]),
            (mainTime, exif?[0x9010], exif?[0x9290]),
        ]
        for (time, offset, fraction) in choices {
            guard let text = try tiff.text(time), let parsed = ClockText(text) else { continue }
            let milliseconds = try tiff.text(fraction).map { ClockText.milliseconds($0.utf8) } ?? 0
            let clock = parsed.clock + .milliseconds(milliseconds)
            let minutes =
                try tiff.text(offset).flatMap { ClockText.offset($0.utf8) } ?? offsetBySatellites(clock, place)
            return findings.taken(
                TakenTime(clock: clock, zone: minutes.map { .offset($0) } ?? .unknown, source: .exif))
        }
    }

    /// The difference from the satellites' time, rounded to quarters of an hour.
    private func offsetBySatellites(_ clock: Timestamp, _ place: TIFF.Directory?) throws -> Int? {
        guard let place, let date = try tiff.text(place[29]), let hour = try tiff.rational(place[7], 0),
            let minute = try tiff.rational(place[7], 1), let second = try tiff.rational(place[7], 2),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second),
            let day = ClockText(date + " 00:00:00")
        else { return nil }
        let utc = day.clock.seconds + hour * 3600 + minute * 60 + second
        let quarters = ((clock.seconds - utc) / 900).rounded()
        guard (-48...56).contains(quarters), abs(clock.seconds - utc - quarters * 900) <= 300 else { return nil }
        return Int(quarters) * 15
    }

    /// Longer notes are not Apple's.
    private static let longestNote = 64 << 10

    /// Entry 0x0011 of Apple's note.
    private func contentIdentifier(_ entry: TIFF.Entry) throws -> String? {
        guard entry.length <= Self.longestNote, let bytes = try tiff.bytes(of: entry) else { return nil }
        let note = Block(Array(bytes), at: 0)
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
