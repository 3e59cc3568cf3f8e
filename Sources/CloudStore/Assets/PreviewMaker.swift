import CloudAssets
import CloudEngine
import CloudMedia
import CloudModel
import Foundation
import NIOCore
import Synchronization

/// The end of an attempt to make a preview.
enum PreviewOutcome: Hashable, Sendable {
    /// With the picture's mean color, if the caller asked for it.
    case made(PictureColor?)
    /// The picture has no preview.
    case unusable
    /// The picture is gone, or the program did not start.
    case undone
}

/// Makes previews with libvips' command-line program, one process per picture.
///
/// Pictures come from strangers, so the process is a ``ConfinedProgram``, with only safe image loaders.
package final class PreviewMaker: Sendable {
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    /// Qualities of a JPEG, tried in order until the file is small enough.
    private static let qualities = [75, 60, 45, 30, 15, 5]
    /// The largest bytes per pixel of an uncompressed picture, and the largest file overhead in bytes, such as embedded
    /// thumbnails.
    private static let (mostBytesPerPixel, mostBytesBeside): (Int64, Int64) = (8, 16 << 20)
    /// The suffix of a picture's local copy.
    private static let copy = ".source"
    /// The suffix of the pixel by which a tile's color is found.
    private static let pixelCopy = ".pixel"

    let limits: PictureLimits
    /// The largest number of waiting previews per account, and per visitor.
    let mostWaiting: Int
    /// Programs that run at a time.
    let programs: Int
    /// Whether previews are made before anybody asks for them.
    package let preparesAhead: Bool
    /// The bytes of one environment's previews, posters and films.
    let mostBytes: Int64
    /// Nil for a server without pictures of videos.
    let posters: PosterMaker?
    /// Nil for a server without films.
    package let films: FilmMaker?
    let program: ConfinedProgram
    let now: Now
    private let queue: FairSemaphore
    /// The place of slow previews that replace others: those that people wait for keep both places.
    private let replacements: FairSemaphore
    let starts = Atomic(0)
    /// The number of programs started so far.
    package var started: Int { starts.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - mostWaiting: the largest number of waiting previews per account.
    ///   - mostBytes: the bytes of one environment's previews, posters and films.
    ///   - programs: programs that run at a time.
    ///   - preparesAhead: whether previews are made before anybody asks for them.
    ///   - posters: makes pictures of videos; nil for none.
    ///   - films: makes films of videos that browsers cannot play; nil for none.
    /// - Returns: nil when the program is not installed.
    package convenience init?(
        mostPixels: Int, mostWaiting: Int, mostBytes: Int = 1 << 40, programs: Int = 2, preparesAhead: Bool = true,
        posters: PosterMaker? = nil, films: FilmMaker? = nil
    ) {
        guard let program = Self.installed else { return nil }
        self.init(
            mostPixels: mostPixels, mostWaiting: mostWaiting, mostBytes: mostBytes, programs: programs,
            preparesAhead: preparesAhead, program: program, posters: posters, films: films)
    }

    /// The program, where it is installed.
    static var installed: ConfinedProgram? {
        let paths = folders.map { "\($0)/vipsthumbnail" }
        return paths.first { access($0, X_OK) == 0 }.map(ConfinedProgram.init(path:))
    }

    /// - Parameters:
    ///   - program: takes the arguments of vipsthumbnail.
    ///   - now: the clock of the pauses between attempts.
    init(
        mostPixels: Int, mostWaiting: Int, mostBytes: Int = 1 << 40, programs: Int = 2, preparesAhead: Bool = true,
        program: ConfinedProgram, posters: PosterMaker? = nil, films: FilmMaker? = nil,
        now: @escaping Now = Timestamp.now
    ) {
        self.now = now
        (self.mostBytes, self.preparesAhead) = (Int64(mostBytes), preparesAhead)
        (self.posters, self.films, self.mostWaiting, self.programs) = (posters, films, mostWaiting, programs)
        limits = PictureLimits(mostPixels: mostPixels)
        var program = program
        program.environment = [
            "MALLOC_ARENA_MAX": "1", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
            // Temporary files cannot be made there.
            "VIPS_DISC_THRESHOLD": "\(program.bounds.memory)",
        ]
        // Its compiler of vector code aborts where it cannot store code.
        if !ConfinedProgram.mayMakeCode { program.environment["VIPS_NOVECTOR"] = "1" }
        self.program = program
        let refusal: @Sendable (Int) -> ServerError = { count in
            ServerError(
                .throttled,
                "\(count) previews of this account's pictures wait, at most \(mostWaiting) may "
                    + "(limit.previewsPerAccount)", .limit(mostWaiting, "limit.previewsPerAccount"), retryAfter: 5)
        }
        queue = FairSemaphore(places: programs, mostWaiting: mostWaiting, refusal: refusal)
        replacements = FairSemaphore(places: 1, mostWaiting: mostWaiting, refusal: refusal)
    }

    /// Makes an upright picture without metadata; transparent pixels become white in a JPEG.
    ///
    /// - Parameters:
    ///   - account: the picture's account; each account's previews are made in turn.
    ///   - isAhead: true if nobody waits for the preview.
    ///   - replaces: true if there is a preview of another format already.
    ///   - findsColor: true to find the mean color of the preview.
    ///   - open: opens the picture when its turn comes.
    /// - Throws: `THROTTLED` when too many of the account's previews wait; `TRY_AGAIN_LATER` when the disk is full.
    func make(
        _ size: PreviewSize, _ format: PreviewFormat, at target: String, for account: String, isAhead: Bool = false,
        replaces: Bool = false, findsColor: Bool = false, _ open: () async throws -> (any AssetReading)?
    ) async throws -> PreviewOutcome {
        let queue = replaces ? replacements : queue
        return try await copied(at: target, for: account, isAhead: isAhead, in: queue, open) { source, program in
            let end = try await make(size, format, of: source, at: target, by: program)
            guard end == .made(nil), findsColor else { return end }
            return .made(await color(of: target, by: program, at: target + Self.pixelCopy))
        }
    }

    /// Runs `body` with a local copy of a picture and the program, when the account's turn comes.
    ///
    /// - Parameter target: the path beside which the copy is.
    func copied(
        at target: String, for account: String, isAhead: Bool, in queue: FairSemaphore? = nil,
        _ open: () async throws -> (any AssetReading)?,
        _ body: (_ source: String, _ program: ConfinedProgram) async throws -> PreviewOutcome
    ) async throws -> PreviewOutcome {
        try await (queue ?? self.queue).run(for: account) {
            guard let picture = try await open() else { return .undone }
            guard picture.size <= Int64(limits.mostPixels) * Self.mostBytesPerPixel + Self.mostBytesBeside else {
                return .unusable
            }
            let source = target + Self.copy
            // Remove a copy that a crash left.
            unlink(source)
            defer { unlink(source) }
            do {
                try await picture.copy(to: source, isSynced: false)
                return try await body(source, isAhead ? program.ahead : program)
            } catch is AssetStoreFull {
                throw ServerError(
                    .tryAgainLater, "the disk has no room to make a preview in", .server(.disk), retryAfter: 60)
            }
        }
    }

    private func make(
        _ size: PreviewSize, _ format: PreviewFormat, of source: String, at target: String, by program: ConfinedProgram
    ) async throws -> PreviewOutcome {
        let isGray = try Self.isGray(source)
        for quality in format == .avif ? [60] : Self.qualities {
            var program = program
            program.arguments = Self.arguments(size, format, quality: quality, isGray: isGray)
            starts.add(1, ordering: .relaxed)
            let end = await program.run(
                input: try Self.open(source, O_RDONLY), output: try Self.open(target, O_WRONLY | O_CREAT | O_TRUNC))
            if case .didNotStart = end { return .undone }
            if let stop = program.stop(end) { return try program.undone(stop) }
            guard end == .exited(0), let made = try FileReader(path: target, slots: FileSlots()),
                try await Self.isWhole(made, format)
            else { return .unusable }
            guard let most = size.mostBytes, made.size > most else { return .made(nil) }
        }
        return .unusable
    }

    /// Arguments with which a picture on the standard input becomes a preview on the standard output.
    private static func arguments(_ size: PreviewSize, _ format: PreviewFormat, quality: Int, isGray: Bool) -> [String]
    {
        let options =
            switch format {
            case .avif: "effort=2"
            case .jpeg: "optimize_coding,interlace,background=255"
            }
        let cut = size.isCut ? ["--smartcrop", size == .cover ? "attention" : "centre"] : []
        // Without a profile for the input, libvips makes another blue of sRGB, and with that profile it refuses gray pixels.
        let profiles = isGray ? [] : ["--import-profile", "srgb", "--export-profile", "srgb"]
        return ["stdin", "--size", "\(size.bounds.width)x\(size.bounds.height)>"] + profiles + cut
            + ["--output", ".\(format.rawValue)[Q=\(quality),strip,\(options)]"]
    }

    /// Bytes in which a picture's header is looked for.
    static let longestHeader = 1 << 20

    private static func isGray(_ source: String) throws -> Bool {
        let head = try open(source, O_RDONLY).read(upToCount: longestHeader) ?? Data()
        return MediaScan(MemorySource([UInt8](head)))?.facts.isGray == true
    }

    static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
        let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Whether a file is of the format: a decoder that a picture took over could have written anything.
    static func isWhole(_ made: FileReader, _ format: PreviewFormat) async throws -> Bool {
        var head: [UInt8] = []
        for try await piece in made.bytes(in: 0..<min(made.size, Int64(ContentType.prefix))) {
            head += piece.readableBytesView
        }
        return ContentType.sniff(head) == format.contentType
    }
}

extension ConfinedProgram {
    /// The outcome of an attempt that was stopped.
    ///
    /// - Throws: the reason, if somebody waits.
    func undone(_ stop: ProgramStop) throws -> PreviewOutcome {
        guard niceness > 0 else { throw stop }
        return .undone
    }
}

extension PreviewMaker {
    /// A picture of one white pixel, a GIF.
    private static let pixel: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x2C, 0, 0, 0, 0, 1, 0,
        1, 0,
        0, 2, 2, 0x4C, 1, 0, 0x3B,
    ]

    /// Makes a preview of a small picture and drops it.
    ///
    /// - Returns: why it could not be made; nil if it was made.
    package func trial() async -> String? {
        let input = Pipe()
        guard let output = FileHandle(forWritingAtPath: "/dev/null") else { return "/dev/null cannot be written" }
        try? input.fileHandleForWriting.write(contentsOf: Self.pixel)
        try? input.fileHandleForWriting.close()
        var program = program
        program.arguments = Self.arguments(.tile, .jpeg, quality: 75, isGray: false)
        let end = await program.run(input: input.fileHandleForReading, output: output)
        return end == .exited(0) ? nil : "\(program.path) \(end)"
    }
}
