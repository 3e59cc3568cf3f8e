import CloudAssets
import CloudModel
import Foundation
import Subprocess

/// Makes small pictures of large ones with libvips' program, each in a process of its own that may take only so much.
///
/// The process reads what strangers sent, so it gets bounded memory, time and output, and only loaders that are safe.
package final class PreviewMaker: Sendable {
    private static let program = "vipsthumbnail"
    private static let path = "/usr/local/bin:/usr/bin:/bin"
    /// Seconds a picture may take.
    private static let longest = 20
    /// Bytes of address space. A picture of 100 million pixels needs less: it is shrunk as it is read.
    private static let memory = 768 << 20
    private static let quality = 82
    /// The most bytes a pixel has in an uncompressed picture, and the most bytes beside the picture in its file, such
    /// as other sizes of it.
    private static let (mostBytesPerPixel, mostBytesBeside): (Int64, Int64) = (8, 16 << 20)
    /// The end of the name of a picture's copy.
    private static let copy = ".source"

    /// Pixels a picture may have.
    let mostPixels: Int
    private let queue: FairSemaphore

    /// - Parameter mostWaiting: previews of one account's pictures that may wait.
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

    /// Makes a JPEG upright, without metadata, on white where the picture is transparent.
    ///
    /// - Parameters:
    ///   - account: whose picture it is; one of each account is made after the other.
    ///   - open: opens the picture once it is its turn.
    /// - Returns: false when no picture can be made of it; nil when it is gone.
    /// - Throws: `THROTTLED` when too many of the account's wait; `TRY_AGAIN_LATER` when there is no room to work in.
    func make(
        _ size: PreviewSize, at target: String, for account: String, _ open: () async throws -> (any AssetReading)?
    ) async throws -> Bool? {
        try await queue.run(for: account) {
            guard let picture = try await open() else { return nil }
            guard picture.size <= Int64(mostPixels) * Self.mostBytesPerPixel + Self.mostBytesBeside else {
                return false
            }
            let source = target + Self.copy
            // One that a crash has left.
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
        // The program takes a path that is not absolute for one from the folder of the source.
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
