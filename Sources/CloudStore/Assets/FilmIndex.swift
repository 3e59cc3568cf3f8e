/// The beginning of an MP4: its type, and the positions of its samples.
///
/// Only these boxes are written, so nothing else that ffmpeg took over from a video can be in it.
struct FilmIndex {
    let movieHeader: FilmBox
    let tracks: [FilmTrack]
    /// The length of the file.
    let end: UInt64

    /// The positions of lengths in the boxes `mvhd`, `mdhd` and `tkhd`.
    private static let (lengthAt, trackLengthAt) = (16, 20)

    /// - Throws: ``FilmBox/Broken`` for a film without pictures, or with samples outside of the file.
    func bytes() throws -> [UInt8] {
        let tracks = tracks.filter { !$0.sizes.isEmpty }
        guard let video = tracks.first(where: \.isVideo), tracks.count <= 2 else { throw FilmBox.Broken() }
        let scale = try movieHeader.word(12)
        guard scale > 0 else { throw FilmBox.Broken() }
        let parts = try tracks.map { try track($0, beside: video, scale) }
        let length = try Self.word(parts.map(\.length).max() ?? 0)
        let brands = Array("isom".utf8) + FilmBox.big(UInt32(512)) + Array("isomiso2avc1mp41".utf8)
        return FilmBox.make("ftyp", brands)
            + FilmBox.make(
                "moov", try movieHeader.replacing(Self.lengthAt, by: length), parts.flatMap(\.bytes))
    }

    private static func word(_ number: UInt64) throws -> UInt32 {
        guard let word = UInt32(exactly: number), word < UInt32.max else { throw FilmBox.Broken() }
        return word
    }

    private static func table(_ type: String, version: UInt8 = 0, count: Int, _ rows: [UInt8]) -> [UInt8] {
        FilmBox.make(type, [version, 0, 0, 0], FilmBox.big(UInt32(count)), rows)
    }

    /// A track and its length in the film, in parts of a second.
    private func track(
        _ track: FilmTrack, beside video: FilmTrack, _ scale: UInt32
    ) throws -> (bytes: [UInt8], length: UInt64) {
        let (edits, length) = try edits(track, beside: video, Double(scale))
        let handler = FilmBox.make(
            "hdlr", FilmBox.big(UInt64(0)), Array((track.isVideo ? "vide" : "soun").utf8),
            [UInt8](repeating: 0, count: 13))
        let media = FilmBox.make(
            "mdia", try track.mediaHeader.replacing(Self.lengthAt, by: try Self.word(track.length)), handler,
            FilmBox.make(
                "minf", Array(track.descriptions.kind.whole), Array(track.descriptions.data.whole), try samples(track)))
        let header = try track.header.replacing(Self.trackLengthAt, by: try Self.word(length))
        return (FilmBox.make("trak", header, FilmBox.make("edts", edits), media), length)
    }

    /// The part of a track that is shown, and when: pictures from the first one on, and sounds in step with it.
    private func edits(
        _ track: FilmTrack, beside video: FilmTrack, _ scale: Double
    ) throws -> (bytes: [UInt8], length: UInt64) {
        let time = { (track: FilmTrack) in
            (Double(track.start ?? 0) + (track.isVideo ? Double(track.delays.runs.first?.number ?? 0) : 0))
                / Double(track.scale)
        }
        let (length, ahead) = (Double(track.length) / Double(track.scale), time(video) - time(track))
        let cut = min(max(ahead, 0), length)
        let first = track.isVideo ? Double(track.delays.runs.first?.number ?? 0) : cut * Double(track.scale)
        guard max(abs(ahead), length) * scale < Double(UInt32.max) else { throw FilmBox.Broken() }
        let pause = UInt64(max(-ahead, 0) * scale)
        let shown = UInt64((length - cut) * scale)
        let rate = FilmBox.big(UInt32(0x10000))
        var rows: [[UInt8]] = []
        if pause > 0 { rows.append(FilmBox.big(try Self.word(pause)) + FilmBox.big(Int32(-1)) + rate) }
        guard first < Double(Int32.max) else { throw FilmBox.Broken() }
        rows.append(FilmBox.big(try Self.word(shown)) + FilmBox.big(Int32(first.rounded())) + rate)
        return (Self.table("elst", count: rows.count, rows.flatMap(\.self)), pause + shown)
    }

    private func samples(_ track: FilmTrack) throws -> [UInt8] {
        var (groups, positions): ([UInt8], [UInt8]) = ([], [])
        var (group, count, sample) = (0, UInt32(0), 0)
        for (index, chunk) in track.chunks.enumerated() {
            let bytes = track.sizes[sample..<sample + Int(chunk.count)].reduce(UInt64(0)) { $0 + UInt64($1) }
            guard chunk.position + bytes <= end else { throw FilmBox.Broken() }
            sample += Int(chunk.count)
            positions += FilmBox.big(chunk.position)
            guard chunk.count != count else { continue }
            (group, count) = (group + 1, chunk.count)
            groups += [UInt32(index + 1), count, 1].flatMap(FilmBox.big)
        }
        let pairs = { (runs: FilmTrack.Runs) in runs.runs.flatMap { FilmBox.big($0.count) + FilmBox.big($0.number) } }
        let (lengths, delays) = (track.lengths, track.delays)
        let hasDelays = delays.runs.contains { $0.number != 0 }
        return FilmBox.make(
            "stbl", Array(track.descriptions.samples.whole),
            Self.table("stts", count: lengths.runs.count, pairs(lengths)),
            hasDelays
                ? Self.table("ctts", version: track.areDelaysSigned ? 1 : 0, count: delays.runs.count, pairs(delays))
                : [],
            track.isVideo
                ? Self.table("stss", count: track.entries.count, track.entries.flatMap(FilmBox.big)) : [],
            Self.table("stsc", count: group, groups),
            FilmBox.make(
                "stsz", FilmBox.big(UInt64(0)), FilmBox.big(UInt32(track.sizes.count)),
                track.sizes.flatMap(FilmBox.big)),
            Self.table("co64", count: track.chunks.count, positions))
    }
}
