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
    private static let quality = 82
    /// The largest bytes per pixel of an uncompressed picture, and the largest file overhead in bytes, such as embedded
    /// thumbnails.
    private static let (mostBytesPerPixel, mostBytesBeside): (Int64, Int64) = (8, 16 << 20)
    /// The suffix of a picture's local copy.
    private static let copy = ".source"

    /// The largest number of pixels in a picture.
    let mostPixels: Int
    private let queue: FairSemaphore

    /// - Parameter mostWaiting: the largest number of waiting previews per account.
    /// - Returns: nil when the program is not installed.
    package init?(mostPixels: Int, mostWaiting: Int) {
        let isInstalled = Self.path.split(separator: ":").contains { access("\($0)/\(Self.program)", X_OK) == 0 }
        guard isInstalled else { return nil }
        self.mostPixels = mostPixels
        queue = FairSemaphore(places: 2, mostWaiting: mostWaiting) { count in
            ServerError(
                .throttled,
                "\(count) previews of this account's pictures wait, at most \(mostWaiting) may "
                    + "(limit.previewsPerAccount)", .limit(mostWaiting, "limit.previewsPerAccount"), retryAfter: 5)
        }
    }

    /// Makes an upright JPEG without metadata; transparent pixels become white.
    ///
    /// - Parameters:
    ///   - account: the picture's account; each account's previews are made in turn.
    ///   - open: opens the picture when its turn comes.
    /// - Returns: false when the picture is unusable; nil when the picture is gone.
    /// - Throws: `THROTTLED` when too many of the account's previews wait; `TRY_AGAIN_LATER` when the disk is full.
    func make(
        _ size: PreviewSize, at target: String, for account: String, _ open: () async throws -> (any AssetReading)?
    ) async throws -> Bool? {
        try await queue.run(for: account) {
            guard let picture = try await open() else { return nil }
            guard picture.size <= Int64(mostPixels) * Self.mostBytesPerPixel + Self.mostBytesBeside else {
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
            return try await make(size, of: source, at: target)
        }
    }

    private func make(_ size: PreviewSize, of source: String, at target: String) async throws -> Bool {
        // The program resolves a relative output path against the source's folder.
        let output = URL(filePath: target).path(percentEncoded: false)
        let status = try await run(
            .name("timeout"),
            arguments: [
                "--kill-after=2", "\(Self.longest)",
                "prlimit", "--as=\(Self.memory)", "--cpu=\(Self.longest)", "--fsize=\(64 << 20)", "--core=0",
                Self.program, source, "--size", "\(size.longestSide)x\(size.longestSide)>",
                "--export-profile", "srgb",
                "--output", "\(output)[Q=\(Self.quality),strip,background=255]",
            ],
            environment: .custom([
                "PATH": Self.path, "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "MALLOC_ARENA_MAX": "1",
            ]),
            output: .discarded, error: .discarded
        ).terminationStatus
        return status.isSuccess
    }
}
