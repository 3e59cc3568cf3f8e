package import Foundation
import Testing

/// A zip whose entries are stored as they are, read by its directory as programs read it.
package struct StoredZip {
    package let names: [String]
    package let files: [Data]

    package init(_ bytes: Data) throws {
        let bytes = [UInt8](bytes)
        let end = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x50, 0x4B, 5, 6]) })
        let count = Self.number(bytes, end + 10, 2)
        var place = Self.number(bytes, end + 16, 4)
        var names: [String] = []
        var files: [Data] = []
        for _ in 0..<count {
            let (size, nameSize) = (Self.number(bytes, place + 24, 4), Self.number(bytes, place + 28, 2))
            names.append(String(decoding: bytes[(place + 46)..<(place + 46 + nameSize)], as: UTF8.self))
            let local = Self.number(bytes, place + 42, 4)
            let start = local + 30 + Self.number(bytes, local + 26, 2) + Self.number(bytes, local + 28, 2)
            files.append(Data(bytes[start..<(start + size)]))
            place += 46 + nameSize + Self.number(bytes, place + 30, 2) + Self.number(bytes, place + 32, 2)
        }
        self.names = names
        self.files = files
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
}
