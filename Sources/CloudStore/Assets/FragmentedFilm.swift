import Foundation

/// A film that ffmpeg writes in fragments, as a pipe has no positions to return to.
///
/// Browsers find no place in a film of fragments without an index. It becomes a usual MP4: the index of all samples is
/// written in front of them, in room that is left there, and the headers of fragments become bytes that no sample has.
struct FragmentedFilm {
    private static let (mostBox, mostSamples) = (4 << 20, 400_000)
    /// The bytes of the header of a box with a length of 64 bits.
    private static let longHeader = 16

    /// The position at which ffmpeg's output begins.
    let room: Int64
    private var at: Int64
    private var movieHeader: FilmBox?
    private(set) var tracks: [FilmTrack] = []

    init(room: Int64) { (self.room, at) = (room, room) }

    /// The bytes in front of a film of some seconds: enough for the index of 60 pictures and 50 pieces of sound a second.
    static func room(seconds: Int) -> Int64 { (64 << 10) + Int64(seconds) * 1800 }

    /// Seconds of the film so far.
    var seconds: Double { tracks.first(where: \.isVideo).map { Double($0.length) / Double($0.scale) } ?? 0 }

    /// Reads on to the end of what has been written. Blocks.
    mutating func read(_ file: FileHandle) throws {
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0 else { throw FilmBox.Broken() }
        while at + Int64(Self.longHeader) <= status.st_size {
            let head = try Self.bytes(file, at: at, Self.longHeader)
            let short = try FilmBox.number(head[...], at: 0, 4)
            let length = short == 1 ? try FilmBox.number(head[...], at: 8, 8) : short
            guard length >= 8, length < UInt64(Int64.max >> 1) else { throw FilmBox.Broken() }
            guard at + Int64(length) <= status.st_size else { return }
            let type = FilmBox.type(head[4..<8])
            if type == "moov" || type == "moof" {
                guard length <= UInt64(Self.mostBox) else { throw FilmBox.Broken() }
                let bytes = try Self.bytes(file, at: at, Int(length))
                try take(FilmBox(type: type, whole: bytes[...]))
            }
            at += Int64(length)
        }
    }

    private static func bytes(_ file: FileHandle, at: Int64, _ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = pread(
                    file.fileDescriptor, buffer.baseAddress! + filled, count - filled, off_t(at) + off_t(filled))
                guard read > 0 else { throw FilmBox.Broken() }
                filled += read
            }
        }
    }

    private mutating func take(_ box: FilmBox) throws {
        let boxes = try FilmBox.all(box.body)
        if box.type == "moov" {
            guard movieHeader == nil, let header = boxes.first(where: { $0.type == "mvhd" }), header.body.first == 0
            else { throw FilmBox.Broken() }
            movieHeader = header
            tracks = try boxes.filter { $0.type == "trak" }.map(FilmTrack.init)
            return
        }
        for fragment in boxes where fragment.type == "traf" {
            let parts = try FilmBox.all(fragment.body)
            let number = try parts.first { $0.type == "tfhd" }?.word(4)
            guard let index = tracks.firstIndex(where: { $0.number == number }) else { throw FilmBox.Broken() }
            try tracks[index].add(parts, at: at)
        }
        guard tracks.reduce(0, { $0 + $1.sizes.count }) <= Self.mostSamples else { throw FilmBox.Broken() }
    }

    /// Writes the index in front of a whole film. Blocks.
    ///
    /// - Throws: ``FilmBox/Broken`` for a file that is no film, or is cut off.
    mutating func finish(_ file: FileHandle) throws {
        try read(file)
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0, at == status.st_size, let movieHeader else {
            throw FilmBox.Broken()
        }
        let index = try FilmIndex(movieHeader: movieHeader, tracks: tracks, end: UInt64(at)).bytes()
        let padding = Int(room) - Self.longHeader - index.count
        guard padding >= 8 else { throw FilmBox.Broken() }
        let free = FilmBox.make("free", [UInt8](repeating: 0, count: padding - 8))
        let data = FilmBox.big(UInt32(1)) + Array("mdat".utf8) + FilmBox.big(at - room + Int64(Self.longHeader))
        try Self.write(index + free + data, file)
    }

    private static func write(_ bytes: [UInt8], _ file: FileHandle) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: bytes)
        try file.synchronize()
    }
}
