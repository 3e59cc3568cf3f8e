import Foundation

/// What a program did to the files of one folder, as Benchmarks/Disk/journal.c writes it down.
package struct Journal: Sendable {
    /// Files and folders go by their inode numbers, which are given out again when a file is gone.
    package enum Entry: Sendable {
        case create(folder: UInt64, file: UInt64, name: String)
        case makeFolder(folder: UInt64, file: UInt64, name: String)
        case write(file: UInt64, at: UInt64, bytes: ArraySlice<UInt8>)
        case truncate(file: UInt64, to: UInt64)
        case sync(file: UInt64, turn: UInt64)
        case synced(file: UInt64, turn: UInt64)
        case rename(from: UInt64, to: UInt64, file: UInt64, old: String, new: String)
        case remove(folder: UInt64, name: String)
        case link(folder: UInt64, file: UInt64, name: String)
        /// Bytes are about to leave through a socket.
        case answer
    }

    private static let head = 32

    package let path: String
    private var read = 0

    package init(path: String) { self.path = path }

    /// The entries that have come since the last call. What a kill has left of one is none.
    package mutating func more() throws -> [Entry] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(read))
        let bytes = [UInt8](try handle.readToEnd() ?? Data())
        var entries: [Entry] = []
        var start = 0
        while start + Self.head <= bytes.count {
            let (type, length, numbers) = Self.head(of: bytes, at: start)
            let end = start + Self.head + length
            guard end <= bytes.count else { break }
            if let entry = Self.entry(type, numbers, bytes[(start + Self.head)..<end]) { entries.append(entry) }
            start = end
        }
        read += start
        return entries
    }

    private static func head(of bytes: [UInt8], at start: Int) -> (UInt32, Int, (UInt64, UInt64, UInt64)) {
        bytes.withUnsafeBytes { raw in
            func number(_ index: Int) -> UInt64 {
                raw.loadUnaligned(fromByteOffset: start + 8 + 8 * index, as: UInt64.self)
            }
            return (
                raw.loadUnaligned(fromByteOffset: start, as: UInt32.self),
                Int(raw.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)),
                (number(0), number(1), number(2))
            )
        }
    }

    private static func entry(
        _ type: UInt32, _ numbers: (UInt64, UInt64, UInt64), _ bytes: ArraySlice<UInt8>
    ) -> Entry? {
        let (a, b, c) = numbers
        var name: String { String(decoding: bytes, as: UTF8.self) }
        switch type {
        case 1: return .create(folder: a, file: b, name: name)
        case 2: return .makeFolder(folder: a, file: b, name: name)
        case 3: return .write(file: a, at: b, bytes: bytes)
        case 4: return .truncate(file: a, to: b)
        case 5: return .sync(file: a, turn: b)
        case 6: return .synced(file: a, turn: b)
        case 7:
            let names = bytes.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
            return .rename(from: a, to: b, file: c, old: names[0], new: names[1])
        case 8: return .remove(folder: a, name: name)
        case 9: return .link(folder: a, file: b, name: name)
        case 10: return .answer
        default: return nil
        }
    }
}
