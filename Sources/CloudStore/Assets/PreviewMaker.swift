import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import Subprocess

/// Makes previews with libvips' command-line program, one process per picture.
///
/// Pictures come from strangers, so the process gets bounded memory, time and output, and only safe image loaders.
package final class PreviewMaker: Sendable {
    private static let program = "vipsthumbnail"
    private static let path = "/usr/local/bin:/usr/bin:/bin"
    /// Seconds allowed per picture.
    private static let longest = 20
    /// The address space limit in bytes. Shrinking a picture of 100 million pixels while loading needs less.
    private static let memory = 768 << 20
    /// Qualities of a JPEG, tried in order until the file is small enough.
    private static let qualities = [75, 60, 45, 30, 15, 5]
    /// The largest bytes per pixel of an uncompressed picture, and the largest file overhead in bytes, such as embedded
    /// thumbnails.
    private static let (mostBytesPerPixel, mostBytesBeside): (Int64, Int64) = (8, 16 << 20)
    /// The suffix of a picture's local copy.
    private static let copy = ".source"

    let limits: PictureLimits
    private let queue: FairSemaphore

    /// - Parameter mostWaiting: the largest number of waiting previews per account.
    /// - Returns: nil when the program is not installed.
    package init?(mostPixels: Int, mostWaiting: Int) {
        let isInstalled = Self.path.split(separator: ":").contains { access("\($0)/\(Self.program)", X_OK) == 0 }
        guard isInstalled else { return nil }
        limits = PictureLimits(mostPixels: mostPixels)
        queue = FairSemaphore(places: 2, mostWaiting: mostWaiting) { count in
            ServerError(
                .throttled,
                "\(count) previews of this account's pictures wait, at most \(mostWaiting) may "
                    + "(limit.previewsPerAccount)", .limit(mostWaiting, "limit.previewsPerAccount"), retryAfter: 5)
        }
    }

    /// Makes an upright picture without metadata; transparent pixels become white in a JPEG.
    ///
    /// - Parameters:
    ///   - account: the picture's account; each account's previews are made in turn.
    ///   - open: opens the picture when its turn comes.
    /// - Returns: false when the picture is unusable; nil when the picture is gone.
    /// - Throws: `THROTTLED` when too many of the account's previews wait; `TRY_AGAIN_LATER` when the disk is full.
    func make(
        _ size: PreviewSize, _ format: PreviewFormat, at target: String, for account: String,
        _ open: () async throws -> (any AssetReading)?
    ) async throws -> Bool? {
        try await queue.run(for: account) {
            guard let picture = try await open() else { return nil }
            guard picture.size <= Int64(limits.mostPixels) * Self.mostBytesPerPixel + Self.mostBytesBeside else {
                return false
            }
            let source = target + Self.copy
            // Remove a copy that a crash left.
            unlink(source)
            defer { unlink(source) }
            do { try await picture.copy(to: source, isSynced: false) } catch is AssetStoreFull {
                throw ServerError(
                    .tryAgainLater, "the disk has no room to make a preview in", .server(.disk), retryAfter: 60)
            }
            return try await make(size, format, of: source, at: target)
        }
    }

    private func make(
        _ size: PreviewSize, _ format: PreviewFormat, of source: String, at target: String
    ) async throws -> Bool {
        if format == .avif { return try await run(size, of: source, at: target, "[Q=60,effort=2,strip]") }
        for quality in Self.qualities {
            let options = "[Q=\(quality),strip,optimize_coding,interlace,background=255]"
            guard try await run(size, of: source, at: target, options) else { return false }
            guard let most = size.mostBytes, let made = try FileReader(path: target, slots: FileSlots())?.size,
                made > most
            else {
                return true
            }
        }
        return false
    }

    /// - Parameter options: those of the writer, in brackets.
    private func run(
        _ size: PreviewSize, of source: String, at target: String, _ options: String
    ) async throws -> Bool {
        // The program resolves a relative output path against the source's folder.
        let output = URL(filePath: target).path(percentEncoded: false)
        let cut = size.isCut ? ["--smartcrop", size == .cover ? "attention" : "centre"] : []
        let status = try await Subprocess.run(
            .name("timeout"),
            arguments: Arguments(
                [
                    "--kill-after=2", "\(Self.longest)",
                    "prlimit", "--as=\(Self.memory)", "--cpu=\(Self.longest)", "--fsize=\(64 << 20)", "--core=0",
                    Self.program, source, "--size", "\(size.bounds.width)x\(size.bounds.height)>",
                    "--export-profile", "srgb",
                ] + cut + ["--output", output + options]),
            environment: .custom([
                "PATH": Self.path, "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "MALLOC_ARENA_MAX": "1",
            ]),
            output: .discarded, error: .discarded
        ).terminationStatus
        return status.isSuccess
    }
}
