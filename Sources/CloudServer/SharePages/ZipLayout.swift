import CloudModel

/// A zip file whose entries are stored as they are: every header, and so its length, is known before the first byte
/// of content (PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3).
///
/// Fields that 32 bits cannot hold go to zip64 extras, and only those, since old readers know no others.
struct ZipLayout {
    struct Entry: Sendable {
        /// Safe and unique in its file.
        let name: String
        /// Bytes.
        let size: UInt64
        let crc32: UInt32
        let modified: Timestamp
    }

    private static let most32: UInt64 = 0xFFFF_FFFF
    private static let most16 = 0xFFFF

    let entries: [Entry]
    /// The offset at which each entry's header begins.
    private let offsets: [UInt64]
    private let directoryOffset: UInt64

    init(_ entries: [Entry]) {
        self.entries = entries
        var offsets: [UInt64] = []
        var offset: UInt64 = 0
        for entry in entries {
            offsets.append(offset)
            offset += UInt64(Self.localHeader(entry).count) + entry.size
        }
        self.offsets = offsets
        directoryOffset = offset
    }

    /// Bytes of the whole file.
    var totalSize: UInt64 { directoryOffset + UInt64(directory().count) }

    /// The bytes before the content of an entry.
    static func localHeader(_ entry: Entry) -> [UInt8] {
        let isLarge = entry.size >= most32
        var bytes = LittleEndian()
        bytes.four(0x0403_4B50)
        bytes.two(isLarge ? 45 : 20)
        bytes.common(entry)
        bytes.four(isLarge ? UInt32(most32) : UInt32(entry.size))
        bytes.four(isLarge ? UInt32(most32) : UInt32(entry.size))
        bytes.two(UInt16(entry.name.utf8.count))
        bytes.two(isLarge ? 20 : 0)
        bytes.text(entry.name)
        if isLarge {
            bytes.two(1)
            bytes.two(16)
            bytes.eight(entry.size)
            bytes.eight(entry.size)
        }
        return bytes.bytes
    }

    /// The bytes after the last entry.
    func directory() -> [UInt8] {
        var bytes = LittleEndian()
        for (entry, offset) in zip(entries, offsets) { Self.centralHeader(entry, at: offset, &bytes) }
        end(directorySize: UInt64(bytes.bytes.count), &bytes)
        return bytes.bytes
    }

    private static func centralHeader(_ entry: Entry, at offset: UInt64, _ bytes: inout LittleEndian) {
        let isLarge = entry.size >= most32
        let isFar = offset >= most32
        let extra = (isLarge ? [entry.size, entry.size] : []) + (isFar ? [offset] : [])
        bytes.four(0x0201_4B50)
        // Made by Unix, so that the permissions below are read as Unix's.
        bytes.two(3 << 8 | 45)
        bytes.two(extra.isEmpty ? 20 : 45)
        bytes.common(entry)
        bytes.four(isLarge ? UInt32(most32) : UInt32(entry.size))
        bytes.four(isLarge ? UInt32(most32) : UInt32(entry.size))
        bytes.two(UInt16(entry.name.utf8.count))
        bytes.two(extra.isEmpty ? 0 : UInt16(4 + extra.count * 8))
        bytes.two(0)  // comment
        bytes.two(0)  // disk
        bytes.two(0)  // internal attributes
        bytes.four(0o100644 << 16)
        bytes.four(isFar ? UInt32(most32) : UInt32(offset))
        bytes.text(entry.name)
        guard !extra.isEmpty else { return }
        bytes.two(1)
        bytes.two(UInt16(extra.count * 8))
        for value in extra { bytes.eight(value) }
    }

    private func end(directorySize: UInt64, _ bytes: inout LittleEndian) {
        let count = entries.count
        if count >= Self.most16 || directoryOffset >= Self.most32 || directorySize >= Self.most32 {
            bytes.four(0x0606_4B50)
            bytes.eight(44)
            bytes.two(3 << 8 | 45)
            bytes.two(45)
            bytes.four(0)
            bytes.four(0)
            bytes.eight(UInt64(count))
            bytes.eight(UInt64(count))
            bytes.eight(directorySize)
            bytes.eight(directoryOffset)
            bytes.four(0x0706_4B50)
            bytes.four(0)
            bytes.eight(directoryOffset + directorySize)
            bytes.four(1)
        }
        bytes.four(0x0605_4B50)
        bytes.two(0)
        bytes.two(0)
        bytes.two(UInt16(min(count, Self.most16)))
        bytes.two(UInt16(min(count, Self.most16)))
        bytes.four(UInt32(min(directorySize, Self.most32)))
        bytes.four(UInt32(min(directoryOffset, Self.most32)))
        bytes.two(0)
    }
}

private struct LittleEndian {
    private(set) var bytes: [UInt8] = []

    mutating func two(_ value: UInt16) { append(value) }
    mutating func four(_ value: UInt32) { append(value) }
    mutating func eight(_ value: UInt64) { append(value) }
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes what a local and a central header have in common: names in UTF-8, stored, date and checksum.
    mutating func common(_ entry: ZipLayout.Entry) {
        two(1 << 11)
        two(0)
        let date = DOSDate(entry.modified)
        two(date.time)
        two(date.date)
        four(entry.crc32)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
