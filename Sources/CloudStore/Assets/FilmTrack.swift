/// A track of a film: its description, and where its samples are.
struct FilmTrack {
    /// Numbers of which many follow each other without a change.
    struct Runs {
        private(set) var runs: [(count: UInt32, number: UInt32)] = []

        mutating func append(_ number: UInt32) {
            if let last = runs.last, last.number == number {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((1, number))
            }
        }

        /// Makes the last number larger.
        mutating func stretch(by more: UInt32) {
            guard let last = runs.popLast() else { return }
            if last.count > 1 { runs.append((last.count - 1, last.number)) }
            append(last.number &+ more)
        }
    }

    let number: UInt32
    let isVideo: Bool
    /// Parts of a second in which the track counts.
    let scale: UInt32
    /// The boxes `tkhd` and `mdhd`.
    let (header, mediaHeader): (FilmBox, FilmBox)
    /// The boxes `vmhd` or `smhd`, `dinf` and `stsd`.
    let descriptions: (kind: FilmBox, data: FilmBox, samples: FilmBox)

    /// The time of the first sample; nil without samples.
    private(set) var start: UInt64?
    /// The length of all samples.
    private(set) var length: UInt64 = 0
    private(set) var sizes: [UInt32] = []
    private(set) var lengths = Runs()
    /// By how much samples are shown later than they are decoded.
    private(set) var delays = Runs()
    private(set) var areDelaysSigned = false
    /// The numbers, from 1, of samples at which playing can begin.
    private(set) var entries: [UInt32] = []
    /// Samples that follow each other in the file.
    private(set) var chunks: [(position: UInt64, count: UInt32)] = []

    private static let notAnEntry: UInt32 = 0x10000
    /// The largest number of samples in a fragment.
    private static let mostSamples: UInt32 = 100_000

    /// - Parameter box: a `trak`.
    init(_ box: FilmBox) throws {
        header = try box.child("tkhd")
        let media = try box.child("mdia")
        mediaHeader = try media.child("mdhd")
        // Version 0 of both: that of times of 32 bits.
        guard header.body.first == 0, mediaHeader.body.first == 0 else { throw FilmBox.Broken() }
        (number, scale) = (try header.word(12), try mediaHeader.word(12))
        guard scale > 0 else { throw FilmBox.Broken() }
        isVideo = FilmBox.type(try media.child("hdlr").body.dropFirst(8).prefix(4)) == "vide"
        let information = try media.child("minf")
        descriptions = (
            try information.child(isVideo ? "vmhd" : "smhd"), try information.child("dinf"),
            try information.child("stbl").child("stsd")
        )
    }

    /// Adds the samples of a fragment.
    ///
    /// - Parameters:
    ///   - boxes: those of a `traf` of this track.
    ///   - base: the position of the fragment in the file.
    mutating func add(_ boxes: [FilmBox], at base: Int64) throws {
        guard let head = boxes.first(where: { $0.type == "tfhd" }),
            let decoding = boxes.first(where: { $0.type == "tfdt" })
        else { throw FilmBox.Broken() }
        let time = try FilmBox.number(decoding.body, at: 4, decoding.body.first == 1 ? 8 : 4)
        guard time < 1 << 40 else { throw FilmBox.Broken() }
        if let start, time > start + length {
            let gap = time - start - length
            guard gap < UInt64(UInt32.max) else { throw FilmBox.Broken() }
            lengths.stretch(by: UInt32(gap))
            length += gap
        }
        if start == nil { start = time }
        let defaults = try Defaults(head)
        for run in boxes where run.type == "trun" { try add(run, defaults, at: base) }
    }

    /// What holds for the samples of a fragment that say nothing else.
    private struct Defaults {
        let (length, size, flags): (UInt32, UInt32, UInt32)

        init(_ head: FilmBox) throws {
            let has = try head.word(0) & 0xFFFFFF
            // Positions are told from the beginning of the fragment.
            guard has & 0x20000 != 0, has & 1 == 0 else { throw FilmBox.Broken() }
            var at = 8
            if has & 2 != 0 { at += 4 }
            func next(_ bit: UInt32) throws -> UInt32 {
                guard has & bit != 0 else { return 0 }
                defer { at += 4 }
                return try head.word(at)
            }
            (length, size, flags) = (try next(8), try next(0x10), try next(0x20))
        }
    }

    private mutating func add(_ run: FilmBox, _ defaults: Defaults, at base: Int64) throws {
        let (has, count) = (try run.word(0) & 0xFFFFFF, try run.word(4))
        guard has & 1 != 0, count > 0, count <= Self.mostSamples else { throw FilmBox.Broken() }
        if run.body.first == 1 { areDelaysSigned = true }
        let position = base + Int64(Int32(bitPattern: try run.word(8)))
        guard position >= 0 else { throw FilmBox.Broken() }
        chunks.append((UInt64(position), count))
        var at = 12
        func next(_ bit: UInt32, _ otherwise: UInt32) throws -> UInt32 {
            guard has & bit != 0 else { return otherwise }
            defer { at += 4 }
            return try run.word(at)
        }
        let first = try next(4, defaults.flags)
        for index in 0..<count {
            let duration = try next(0x100, defaults.length)
            sizes.append(try next(0x200, defaults.size))
            let flags = try next(0x400, index == 0 ? first : defaults.flags)
            delays.append(try next(0x800, 0))
            lengths.append(duration)
            length += UInt64(duration)
            if flags & Self.notAnEntry == 0 { entries.append(UInt32(sizes.count)) }
        }
    }
}
