/// A TIFF file, or a raw file of the same structure, of directories in directories.
struct TIFFSample: Sendable {
    indirect enum Value: Sendable {
        case short(Int)
        case long(Int)
        case text(String)
        case ratios([(Int, Int)])
        case bytes([UInt8])
        /// Directories elsewhere, by their positions.
        case directories([[Entry]])
        /// Bytes elsewhere, by their position.
        case apart([UInt8])
    }

    struct Entry: Sendable {
        let tag: Int
        let value: Value

        init(_ tag: Int, _ value: Value) { (self.tag, self.value) = (tag, value) }
    }

    var head = "MM\u{0}*"
    var pages: [[Entry]]

    static let size = [Entry(0x0100, .long(400)), Entry(0x0101, .long(300))]
    static let details = Entry(
        0x8769, .directories([[Entry(0x829A, .ratios([(1, 250)])), Entry(0x9003, .text("2026:06:14 23:30:00"))]]))
    static let berlin = Entry(
        0x8825,
        .directories([
            [
                Entry(1, .text("N")), Entry(2, .ratios([(52, 1), (30, 1), (0, 1)])), Entry(3, .text("E")),
                Entry(4, .ratios([(13, 1), (24, 1), (0, 1)])), Entry(28, .bytes(Bytes.text("Berlin, Mitte"))),
            ]
        ]))

    private var isLittle: Bool { head.hasPrefix("II") }

    var bytes: [UInt8] {
        var file = Bytes.text(head) + number(8, 4)
        var nextAt: Int?
        for page in pages {
            if let nextAt { overwrite(&file, nextAt, number(file.count, 4)) }
            nextAt = append(page, to: &file)
        }
        return file
    }

    private func number(_ value: Int, _ length: Int) -> [UInt8] {
        isLittle ? Bytes.little(value, length) : Bytes.big(value, length)
    }

    private func overwrite(_ file: inout [UInt8], _ at: Int, _ bytes: [UInt8]) {
        file.replaceSubrange(at..<at + bytes.count, with: bytes)
    }

    /// - Returns: where the position of the next directory stands.
    private func append(_ entries: [Entry], to file: inout [UInt8]) -> Int {
        let start = file.count
        file += number(entries.count, 2) + [UInt8](repeating: 0, count: entries.count * 12 + 4)
        for (index, entry) in entries.enumerated() {
            let (type, count, value) = encoded(entry.value, &file)
            var field = value
            if value.count > 4 {
                field = number(file.count, 4)
                file += value + [UInt8](repeating: 0, count: value.count & 1)
            }
            field += [UInt8](repeating: 0, count: 4 - field.count)
            overwrite(
                &file, start + 2 + index * 12, number(entry.tag, 2) + number(type, 2) + number(count, 4) + field)
        }
        return start + 2 + entries.count * 12
    }

    private func encoded(_ value: Value, _ file: inout [UInt8]) -> (type: Int, count: Int, bytes: [UInt8]) {
        switch value {
        case .short(let short): return (3, 1, number(short, 2))
        case .long(let long): return (4, 1, number(long, 4))
        case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .ratios(let ratios):
            return (5, ratios.count, ratios.flatMap { number($0.0, 4) + number($0.1, 4) })
        case .bytes(let bytes): return (7, bytes.count, bytes)
        case .apart(let bytes):
            defer { file += bytes + [UInt8](repeating: 0, count: bytes.count & 1) }
            return (4, 1, number(file.count, 4))
        case .directories(let directories):
            var positions: [UInt8] = []
            for directory in directories {
                positions += number(file.count, 4)
                _ = append(directory, to: &file)
            }
            return (4, directories.count, positions)
        }
    }
}
