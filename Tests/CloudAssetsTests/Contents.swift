import CloudAssets
import CloudModel
import Foundation
import NIOCore
import Synchronization
import TestAssets
import Testing

/// A folder for what is on its way, gone with it.
final class Spool: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Names of all files in it.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { FileManager.default.contents(atPath: "\(path)/\($0)") != nil }
    }
}

/// Bytes that tell places apart: a block of a prime length, again and again.
func someBytes(_ count: Int) -> [UInt8] {
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 24) }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
}

/// Contents that come a piece at a time.
func pieces(_ bytes: [UInt8]) -> AsyncStream<ByteBuffer> {
    AsyncStream { stream in
        for start in stride(from: 0, to: bytes.count, by: 100_000) {
            stream.yield(ByteBuffer(bytes: bytes[start..<min(start + 100_000, bytes.count)]))
        }
        stream.finish()
    }
}

extension AssetStore {
    /// Takes contents in and keeps them.
    func take(_ bytes: [UInt8], keeps: Bool = true) async throws -> TakenAsset {
        try await take(pieces(bytes), limit: 1 << 30) { (keeps, $0) }
    }

    /// The files there are, from a store that looks at the youngest, too.
    func files() async throws -> Set<AssetFile> {
        let found = Mutex<Set<AssetFile>>([])
        try await sweep { files in
            found.withLock { $0.formUnion(files) }
            return Set(files)
        }
        return found.withLock { $0 }
    }

    /// All of the contents, or a part; nil when they are gone.
    func bytes(_ file: AssetFile, _ range: Range<Int64>? = nil) async throws -> [UInt8]? {
        guard let reader = try await open(file) else { return nil }
        var bytes: [UInt8] = []
        for try await piece in reader.bytes(in: range ?? 0..<reader.size) { bytes += Array(buffer: piece) }
        return bytes
    }
}

/// Returns true if the error asks a client to come back.
func asksToComeBack(_ error: any Error) -> Bool {
    (error as? ServerError).map { $0.code == .tryAgainLater && $0.retryAfter != nil } ?? false
}
