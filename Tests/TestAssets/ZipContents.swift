package import CloudModel

/// The files of a zip file as its directory tells of them, none of them compressed. Every length must fit.
package struct ZipContents {
    package let files: [String: [UInt8]]

    package struct Broken: Error {
        let text: String
    }

    package init(_ bytes: [UInt8]) throws {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let end = bytes.count - 22
        guard end >= 0, number(end, 4) == 0x0605_4B50 else { throw Broken(text: "there is no end") }
        var (files, offset) = ([String: [UInt8]](), number(end + 16, 4))
        for _ in 0..<number(end + 10, 2) {
            let (size, name, header) = (number(offset + 24, 4), number(offset + 28, 2), number(offset + 42, 4))
            let text = String(decoding: bytes[offset + 46..<offset + 46 + name], as: UTF8.self)
            guard number(header, 4) == 0x0403_4B50, number(header + 14, 12) == number(offset + 16, 12) else {
                throw Broken(text: "\(text) is told differently in two places")
            }
            let start = header + 30 + name + number(header + 28, 2)
            guard files.updateValue(Array(bytes[start..<start + size]), forKey: text) == nil else {
                throw Broken(text: "\(text) is there twice")
            }
            offset += 46 + name + number(offset + 30, 2)
        }
        guard offset == end else { throw Broken(text: "something lies before the end") }
        self.files = files
    }

    package var names: [String] { files.keys.sorted() }

    /// A file of JSON lines.
    package func lines(_ name: String) throws -> [JSONObject] {
        try (files[name] ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
            try JSONParser.parse(Array($0)).object
        }
    }
}
