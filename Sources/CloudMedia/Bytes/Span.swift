/// A part of a file. Positions count from its beginning; reads outside it throw ``MediaFault/truncated``.
struct Span {
    let reader: BoundedReader
    /// The position of the first byte in the file.
    let base: Int
    let count: Int

    init(_ reader: BoundedReader) {
        self.init(reader: reader, base: 0, count: reader.count)
    }

    private init(reader: BoundedReader, base: Int, count: Int) {
        self.reader = reader
        self.base = base
        self.count = count
    }

    var range: Range<Int> { base..<base + count }

    private func checked(_ at: Int, _ length: Int) throws -> Range<Int> {
        guard at >= 0, length >= 0, length <= count, at <= count - length else { throw MediaFault.truncated }
        return base + at..<base + at + length
    }

    func span(_ at: Int, _ length: Int) throws -> Span {
        let range = try checked(at, length)
        return Span(reader: reader, base: range.lowerBound, count: length)
    }

    func span(from at: Int) throws -> Span { try span(at, count - at) }

    func bytes(_ at: Int, _ length: Int) throws -> [UInt8] {
        let range = try checked(at, length)
        return length == 0 ? [] : try reader.withBytes(range) { [UInt8]($0) }
    }

    /// The bytes of the whole span, which hold no more than `most`.
    func block(most: Int = Block.most) throws -> Block {
        guard count <= most else { throw MediaFault.limit }
        try reader.countBlock(count)
        return Block(try bytes(0, count), at: base)
    }

    func big(_ at: Int, _ length: Int) throws -> Int {
        let value = try reader.withBytes(checked(at, length)) { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return Int(clamping: value)
    }

    func little(_ at: Int, _ length: Int) throws -> Int {
        let value = try reader.withBytes(checked(at, length)) {
            $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return Int(clamping: value)
    }

    /// True if the bytes at `at` have the values of the scalars of `signature`.
    func has(_ signature: String, at: Int = 0) throws -> Bool {
        let expected = signature.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        guard at >= 0, at <= count, expected.count <= count - at else { return false }
        return try bytes(at, expected.count) == expected
    }

    /// Four bytes as Latin-1 text.
    func code(_ at: Int) throws -> String { latin(try bytes(at, 4)) }
}

/// Bytes as Latin-1 text.
func latin(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
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
