import CloudAssets
import CloudModel

/// Compares the contents of an asset with what was stored.
enum AssetCheck {
    /// The fault of a file; nil when it has the size and the checksum.
    static func fault(of file: AssetFile, in store: any AssetStore, key: String, size: Int64) async -> String? {
        do {
            guard let contents = try await store.open(file) else { return "it is missing" }
            guard contents.size == size else { return "it has \(contents.size) of \(size) bytes" }
            return AssetKey(sha256: try await contents.sha256()).text == key ? nil : "its checksum is wrong"
        } catch {
            return "it cannot be read: \((error as? ServerError)?.reason ?? "\(error)")"
        }
    }
}
