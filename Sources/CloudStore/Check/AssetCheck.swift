import CloudAssets
import CloudModel
import Crypto
import NIOCore

/// Compares the contents of an asset with what was stored.
enum AssetCheck {
    /// The fault of a file; nil when it has the size and the checksum.
    static func fault(of file: AssetFile, in store: any AssetStore, key: String, size: Int64) async -> String? {
        do {
            guard let contents = try await store.open(file) else { return "it is missing" }
            guard contents.size == size else { return "it has \(contents.size) of \(size) bytes" }
            var sha256 = SHA256()
            for try await piece in contents.bytes() {
                piece.withUnsafeReadableBytes { sha256.update(bufferPointer: $0) }
            }
            return AssetKey(sha256: Array(sha256.finalize())).text == key ? nil : "its checksum is another"
        } catch {
            return "it cannot be read: \((error as? ServerError)?.reason ?? "\(error)")"
        }
    }
}
