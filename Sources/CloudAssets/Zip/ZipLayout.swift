/// A zip file with all entries known in advance, and therefore its length.
package struct ZipLayout {
    package let entries: [ZipEntry]
    private let zip: ZipDirectory

    package init(_ entries: [ZipEntry]) {
        self.entries = entries
        var zip = ZipDirectory()
        for entry in entries { _ = zip.add(entry) }
        self.zip = zip
    }

    /// Bytes of the whole file.
    package var totalSize: UInt64 { zip.offset + UInt64(zip.end().count) }

    /// The bytes after the last entry.
    package func directory() -> [UInt8] { zip.end() }
}
