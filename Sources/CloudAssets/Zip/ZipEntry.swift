package import CloudModel

/// A stored, uncompressed file in a zip. Headers follow PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3.
///
/// Only values above 32 bits go to zip64 extras, since old readers do not support those.
package struct ZipEntry: Sendable {
    /// Safe, and unique within the zip file.
    package let name: String
    /// Bytes.
    package let size: UInt64
    package let crc32: UInt32
    package let modified: Timestamp

    package init(name: String, size: UInt64, crc32: UInt32, modified: Timestamp) {
        self.name = name
        self.size = size
        self.crc32 = crc32
        self.modified = modified
    }

    static let most32: UInt64 = 0xFFFF_FFFF

    private var isLarge: Bool { size >= Self.most32 }
    private var size32: UInt32 { UInt32(min(size, Self.most32)) }

    /// The bytes before the content.
    package var localHeader: [UInt8] {
        var bytes = LittleEndian()
        bytes.four(0x0403_4B50)
        bytes.two(isLarge ? 45 : 20)
        writeCommon(&bytes)
        bytes.four(size32)
        bytes.four(size32)
        bytes.two(UInt16(name.utf8.count))
        bytes.two(isLarge ? 20 : 0)
        bytes.text(name)
        if isLarge {
            bytes.two(1)
            bytes.two(16)
            bytes.eight(size)
            bytes.eight(size)
        }
        return bytes.bytes
    }

    /// Writes the entry's central header.
    ///
    /// - Parameter offset: of the entry's local header.
    func writeCentralHeader(at offset: UInt64, _ bytes: inout LittleEndian) {
        let isFar = offset >= Self.most32
        let extra = (isLarge ? [size, size] : []) + (isFar ? [offset] : [])
        bytes.four(0x0201_4B50)
        // Declares Unix as the creating system, so that readers interpret the permissions below as Unix permissions.
        bytes.two(3 << 8 | 45)
        bytes.two(extra.isEmpty ? 20 : 45)
        writeCommon(&bytes)
        bytes.four(size32)
        bytes.four(size32)
        bytes.two(UInt16(name.utf8.count))
        bytes.two(extra.isEmpty ? 0 : UInt16(4 + extra.count * 8))
        bytes.two(0)  // comment
        bytes.two(0)  // disk
        bytes.two(0)  // internal attributes
        bytes.four(0o100644 << 16)
        bytes.four(UInt32(min(offset, Self.most32)))
        bytes.text(name)
        guard !extra.isEmpty else { return }
        bytes.two(1)
        bytes.two(UInt16(extra.count * 8))
        for value in extra { bytes.eight(value) }
    }

    /// Writes the common part of local and central headers: UTF-8 names, method, date and checksum.
    private func writeCommon(_ bytes: inout LittleEndian) {
        bytes.two(1 << 11)
        bytes.two(0)
        let date = DOSDate(modified)
        bytes.two(date.time)
        bytes.two(date.date)
        bytes.four(crc32)
    }
}

/// A buffer of little-endian numbers, as in zip files.
struct LittleEndian: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func two(_ value: UInt16) { append(value) }
    mutating func four(_ value: UInt32) { append(value) }
    mutating func eight(_ value: UInt64) { append(value) }
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
