/// The central directory of a zip file under construction.
struct ZipDirectory: Sendable {
    private static let most16 = 0xFFFF

    private var bytes = LittleEndian()
    private var count = 0
    /// The end of the last entry.
    private(set) var offset: UInt64 = 0

    /// - Returns: the local header, to write before the entry's content.
    mutating func add(_ entry: ZipEntry) -> [UInt8] {
        let header = entry.localHeader
        entry.writeCentralHeader(at: offset, &bytes)
        count += 1
        offset += UInt64(header.count) + entry.size
        return header
    }

    /// The bytes after the last entry.
    func end() -> [UInt8] {
        var end = bytes
        let size = UInt64(bytes.bytes.count)
        if count >= Self.most16 || offset >= ZipEntry.most32 || size >= ZipEntry.most32 {
            end.four(0x0606_4B50)
            end.eight(44)
            end.two(3 << 8 | 45)
            end.two(45)
            end.four(0)
            end.four(0)
            end.eight(UInt64(count))
            end.eight(UInt64(count))
            end.eight(size)
            end.eight(offset)
            end.four(0x0706_4B50)
            end.four(0)
            end.eight(offset + size)
            end.four(1)
        }
        end.four(0x0605_4B50)
        end.two(0)
        end.two(0)
        end.two(UInt16(min(count, Self.most16)))
        end.two(UInt16(min(count, Self.most16)))
        end.four(UInt32(min(size, ZipEntry.most32)))
        end.four(UInt32(min(offset, ZipEntry.most32)))
        end.two(0)
        return end.bytes
    }
}
