package import CloudModel

/// An asset's properties, apart from its bytes.
package struct AssetDescription: Hashable, Sendable {
    package let key: AssetKey
    /// Bytes.
    package let size: Int64
    package let crc32: UInt32
    /// Media type, determined by the first bytes (``ContentType``).
    package let contentType: String
    /// In pixels, orientation applied; nil if the contents are no picture or the header lacks a size.
    package let imageSize: ImageSize?

    package init(key: AssetKey, size: Int64, crc32: UInt32, contentType: String, imageSize: ImageSize?) {
        self.key = key
        self.size = size
        self.crc32 = crc32
        self.contentType = contentType
        self.imageSize = imageSize
    }
}
