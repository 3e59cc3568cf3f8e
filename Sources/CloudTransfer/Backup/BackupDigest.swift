import CloudAssets
import CloudCrypto
import CloudStore
import NIOCore

/// SHA-256 of files.
enum BackupDigest {
    /// Bytes read between two pauses.
    private static let step = 4 << 20

    static func of(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Pauses for as long as each step took, because a server may share the processor cores.
    ///
    /// - Parameter path: a local file.
    static func of(file path: String) async throws -> (size: Int64, sha256: [UInt8]) {
        guard let file = try FileReader(path: path) else { throw TransferFault("\(path) has gone") }
        var (hash, left, begun) = (SHA256(), step, ContinuousClock.now)
        for try await piece in file.bytes() {
            piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            left -= piece.readableBytes
            guard left <= 0 else { continue }
            try await Task.sleep(for: begun.duration(to: .now))
            (left, begun) = (step, .now)
        }
        return (file.size, Array(hash.finalize()))
    }
}
