/// The directories of a TIFF structure, which carries EXIF.
struct TIFF {
    let bytes: TIFFBytes
    let isLittle: Bool
    /// True for a raw file of Panasonic, whose main directory has tags of its own.
    let isPanasonic: Bool

    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// The position of the value, which may lie outside the structure.
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
        guard let order = try ByteOrder(.block(block)), order.format == .standard else { throw MediaFault.broken }
        (bytes, isLittle, isPanasonic) = (.block(block), order.isLittle, false)
    }

    /// - Parameter file: a TIFF file, or a raw file of the same structure.
    init(file: Span) throws {
        guard let order = try ByteOrder(.file(file)), order.format != .big else { throw MediaFault.broken }
        (bytes, isLittle, isPanasonic) = (.file(file), order.isLittle, order.format == .panasonic)
    }

    func number(_ at: Int, _ length: Int) throws -> Int? { try bytes.number(at, length, isLittle: isLittle) }

    func has(_ entry: Entry) -> Bool { bytes.has(entry.value, entry.length) }

    func bytes(of entry: Entry) throws -> ArraySlice<UInt8>? { try bytes.bytes(entry.value, entry.length) }

    func block(of entry: Entry) throws -> Block? { try bytes.block(entry.value, entry.length) }

    func directory(at: Int) throws -> Directory {
        guard let count = try number(at, 2) else { throw MediaFault.truncated }
        guard count <= Self.mostEntries else { throw MediaFault.limit }
        guard let whole = try bytes.bytes(at, 2 + count * 12) else { throw MediaFault.truncated }
        let table = Block(Array(whole), at: 0)
        let entries = (0..<count).compactMap { entry(2 + $0 * 12, of: table, at: at) }
        let end = at + 2 + count * 12
        return Directory(range: at..<end, entries: entries, next: try number(end, 4) ?? 0)
    }

    private func entry(_ start: Int, of table: Block, at: Int) -> Entry? {
        func number(_ at: Int, _ length: Int) -> Int? { table.number(start + at, length, isLittle: isLittle) }
        guard let tag = number(0, 2), let type = number(2, 2), let count = number(4, 4), let value = number(8, 4) else {
            return nil
        }
        let length = count * Self.size(of: type)
        let isApart = length > 4
        return Entry(
            tag: tag, type: type, count: count, value: isApart ? value : at + start + 8, length: length,
            isApart: isApart)
    }

    private static func size(of type: Int) -> Int {
        switch type {
        // The last is text in UTF-8, of EXIF 3.0.
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 0
        }
    }

    /// Whole numbers of one, two or four bytes.
    func integer(_ entry: Entry?, _ index: Int = 0) throws -> Int? {
        guard let entry, index < entry.count, [1, 3, 4, 13].contains(entry.type) else { return nil }
        let size = Self.size(of: entry.type)
        return try number(entry.value + index * size, size)
    }

    func rational(_ entry: Entry?, _ index: Int = 0) throws -> Double? {
        guard let entry, index < entry.count, [5, 10].contains(entry.type), has(entry),
            let above = try number(entry.value + index * 8, 4), let below = try number(entry.value + index * 8 + 4, 4),
            below != 0
        else { return nil }
        guard entry.type == 10 else { return Double(above) / Double(below) }
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }

    /// Text up to the first NUL, without spaces around it; nil if empty or longer than 256 bytes.
    func text(_ entry: Entry?) throws -> String? {
        guard let entry, entry.type == 2 || entry.type == 7, entry.length <= 256, let bytes = try bytes(of: entry)
        else { return nil }
        return plainText(bytes)
    }
}
