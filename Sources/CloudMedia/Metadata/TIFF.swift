/// The directories of a TIFF structure in memory, which carries EXIF.
struct TIFF {
    let block: Block
    let isLittle: Bool

    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// The position of the value, which may lie outside the block.
        let value: Int
        let length: Int
        /// True if the value stands outside the directory.
        let isApart: Bool
    }

    struct Directory {
        let range: Range<Int>
        let entries: [Entry]
        let next: Int

        subscript(tag: Int) -> Entry? { entries.first { $0.tag == tag } }
    }

    /// More entries than any camera writes.
    private static let mostEntries = 1000

    init(_ block: Block) throws {
        self.block = block
        isLittle = block.has("II*\u{0}")
        guard isLittle || block.has("MM\u{0}*") else { throw MediaFault.broken }
    }

    func number(_ at: Int, _ length: Int) -> Int? { block.number(at, length, isLittle: isLittle) }

    func directory(at: Int) throws -> Directory {
        guard let count = number(at, 2) else { throw MediaFault.truncated }
        guard count <= Self.mostEntries else { throw MediaFault.limit }
        guard block.slice(at, 2 + count * 12) != nil else { throw MediaFault.truncated }
        let entries = (0..<count).compactMap { entry(at: at + 2 + $0 * 12) }
        let end = at + 2 + count * 12
        return Directory(range: at..<end, entries: entries, next: number(end, 4) ?? 0)
    }

    private func entry(at: Int) -> Entry? {
        guard let tag = number(at, 2), let type = number(at + 2, 2), let count = number(at + 4, 4) else { return nil }
        let length = count * Self.size(of: type)
        guard length > 4 else {
            return Entry(tag: tag, type: type, count: count, value: at + 8, length: length, isApart: false)
        }
        let value = number(at + 8, 4) ?? .max
        return Entry(tag: tag, type: type, count: count, value: value, length: length, isApart: true)
    }

    private static func size(of type: Int) -> Int {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: 0
        }
    }

    /// Whole numbers of one, two or four bytes.
    func integer(_ entry: Entry?, _ index: Int = 0) -> Int? {
        guard let entry, index < entry.count, [1, 3, 4, 13].contains(entry.type) else { return nil }
        let size = Self.size(of: entry.type)
        return number(entry.value + index * size, size)
    }

    func rational(_ entry: Entry?, _ index: Int = 0) -> Double? {
        guard let entry, index < entry.count, [5, 10].contains(entry.type),
            block.slice(entry.value, entry.length) != nil,
            let above = number(entry.value + index * 8, 4), let below = number(entry.value + index * 8 + 4, 4),
            below != 0
        else { return nil }
        guard entry.type == 10 else { return Double(above) / Double(below) }
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }

    /// Text up to the first NUL, without spaces around it; nil if empty or longer than 256 bytes.
    func text(_ entry: Entry?) -> String? {
        guard let entry, entry.type == 2 || entry.type == 7, entry.length <= 256,
            let bytes = block.slice(entry.value, entry.length)
        else { return nil }
        return plainText(bytes)
    }
}

/// UTF-8 text up to the first NUL, without control characters and spaces around it; nil if nothing is left.
func plainText(_ bytes: some Sequence<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    guard let first = visible.firstIndex(where: { $0 != " " }), let last = visible.lastIndex(where: { $0 != " " })
    else {
        return nil
    }
    return String(String.UnicodeScalarView(visible[first...last]))
}
