import CloudAssets
import CloudModel

/// Compares an asset's contents with its stored size and checksum.
enum AssetCheck {
    /// The fault of a file; nil if size and checksum match.
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
