import CloudModel
import Foundation
import Subprocess
import Synchronization

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

    /// Pixels a picture may have.
    let mostPixels: Int
    private let gate = Gate(places: 2, queue: 500)

    /// - Returns: nil when the program is not installed.
    package init?(mostPixels: Int) {
        let isInstalled = Self.path.split(separator: ":").contains { access("\($0)/\(Self.program)", X_OK) == 0 }
        guard isInstalled else { return nil }
        self.mostPixels = mostPixels
    }

    /// Makes a JPEG upright, without metadata, on white where the picture is transparent.
    ///
    /// - Returns: false when no picture can be made of it.
    /// - Throws: `THROTTLED` when far too many wait.
    func make(_ size: PreviewSize, of source: String, at target: String) async throws -> Bool {
        try await gate.pass {
            let status = try await run(
                .name("timeout"),
                arguments: [
                    "--kill-after=2", "\(Self.longest)",
                    "prlimit", "--as=\(Self.memory)", "--cpu=\(Self.longest)", "--fsize=\(64 << 20)", "--core=0",
                    Self.program, source, "--size", "\(size.longestSide)x\(size.longestSide)>",
                    "--export-profile", "srgb",
                    "--output", "\(target)[Q=\(Self.quality),strip,background=255]",
                ],
                environment: .custom([
                    "PATH": Self.path, "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "MALLOC_ARENA_MAX": "1",
                ]),
                output: .discarded, error: .discarded
            ).terminationStatus
            return status.isSuccess
        }
    }
}

/// Lets so many through at a time; the others wait in line.
private final class Gate: Sendable {
    private struct State {
        var places: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let queue: Int

    init(places: Int, queue: Int) {
        state = Mutex(State(places: places))
        self.queue = queue
    }

    func pass<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let isFull = state.withLock { $0.places == 0 && $0.waiting.count >= queue }
        if isFull { throw ServerError(.throttled, "too many previews are being made", retryAfter: 5) }
        await withCheckedContinuation { continuation in
            let enters = state.withLock { state in
                if state.places == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.places -= 1
                return true
            }
            if enters { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.places += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
