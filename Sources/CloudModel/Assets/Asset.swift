/// The value of an asset field: the contents' key, their size, and the receipt of the upload (reference A §3.9).
package struct Asset: Hashable, Sendable {
    package let key: AssetKey
    /// Bytes.
    package let size: Int64
    /// Proves an upload. Present in requests only; never stored.
    package let receipt: String?

    package init(key: AssetKey, size: Int64, receipt: String? = nil) {
        self.key = key
        self.size = size
        self.receipt = receipt
    }

    /// Writes the stored form, with a placeholder for the `downloadURL`, which expires (``RecordBody/withDownloads(_:)``).
    func write(to writer: inout JSONWriter) {
        writer.object {
            members(&$0)
            $0.key("downloadURL")
            $0.assetPlaceholder(key)
        }
    }

    /// Writes the answer to an upload: the value with its receipt (reference B §8.2).
    package func writeReceipt(to writer: inout JSONWriter) {
        writer.object {
            members(&$0)
            $0.member("receipt", receipt)
        }
    }

    private func members(_ writer: inout JSONWriter) {
        writer.member("fileChecksum", key.fileChecksum)
        writer.member("size", size)
        writer.member("wrappingKey", key.wrappingKey)
        writer.member("referenceChecksum", key.referenceChecksum)
    }
}
