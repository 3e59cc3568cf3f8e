import Foundation

/// The files in a zip that stores them as they are (PKWARE's APPNOTE 6.3, section 4.3).
struct StoredZip {
    struct Entry: Hashable {
        let name: String
        let bytes: Data
    }

    let entries: [Entry]

    /// - Throws: ``Mismatch`` for anything but a complete zip of stored files without a comment.
    init(_ zip: Data) throws {
        let reader = Reader(bytes: zip)
        let end = zip.count - 22
        try reader.require(0x0605_4B50, at: end)
        var header = Int(try reader.number(at: end + 16))
        entries = try (0..<Int(try reader.number(at: end + 10, bytes: 2))).map { _ in
            try reader.require(0x0201_4B50, at: header)
            let nameLength = Int(try reader.number(at: header + 28, bytes: 2))
            let name = String(decoding: try reader.bytes(nameLength, at: header + 46), as: UTF8.self)
            let content = try reader.content(header: header)
            let others = try reader.number(at: header + 30, bytes: 2) + reader.number(at: header + 32, bytes: 2)
            header += 46 + nameLength + Int(others)
            return Entry(name: name, bytes: content)
        }
    }

    private struct Reader {
        let bytes: Data

        func bytes(_ count: Int, at offset: Int) throws -> Data {
            guard offset >= 0, offset + count <= bytes.count else {
                throw Mismatch(what: "reading a zip", expected: "\(count) bytes at \(offset)", got: "its end")
            }
            return bytes.dropFirst(offset).prefix(count)
        }

        /// A number with its least significant byte first.
        func number(at offset: Int, bytes count: Int = 4) throws -> UInt32 {
            try bytes(count, at: offset).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        func require(_ signature: UInt32, at offset: Int) throws {
            let found = try number(at: offset)
            guard found == signature else {
                throw Mismatch(
                    what: "reading a zip", expected: String(signature, radix: 16), got: String(found, radix: 16))
            }
        }

        /// What stands behind the local header that a header of the directory leads to.
        func content(header: Int) throws -> Data {
            let method = try number(at: header + 10, bytes: 2)
            guard method == 0 else { throw Mismatch(what: "how a file is packed", expected: "0", got: "\(method)") }
            let local = Int(try number(at: header + 42))
            try require(0x0403_4B50, at: local)
            let names = try number(at: local + 26, bytes: 2) + number(at: local + 28, bytes: 2)
            return try bytes(Int(try number(at: header + 20)), at: local + 30 + Int(names))
        }
    }
}
