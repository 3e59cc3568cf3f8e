/// The bytes of a TIFF structure: metadata in memory, or a whole file that is read by ranges.
enum TIFFBytes {
    case block(Block)
    case file(Span)

    private var count: Int {
        switch self {
        case .block(let block): block.count
        case .file(let file): file.count
        }
    }

    /// True if the range lies inside.
    func has(_ at: Int, _ length: Int) -> Bool {
        at >= 0 && length >= 0 && length <= count && at <= count - length
    }

    /// Nil for a range outside. Throws if a file cannot be read there.
    func bytes(_ at: Int, _ length: Int) throws -> ArraySlice<UInt8>? {
        guard has(at, length) else { return nil }
        switch self {
        case .block(let block): return block.slice(at, length)
        case .file(let file): return try file.bytes(at, length)[...]
        }
    }

    /// Nil for a range outside. Throws if a file cannot be read there.
    func number(_ at: Int, _ length: Int, isLittle: Bool) throws -> Int? {
        guard has(at, length) else { return nil }
        switch self {
        case .block(let block): return block.number(at, length, isLittle: isLittle)
        case .file(let file): return try isLittle ? file.little(at, length) : file.big(at, length)
        }
    }

    /// A part of the structure as a block; nil for a range outside. Throws if it is too long, or cannot be read.
    func block(_ at: Int, _ length: Int) throws -> Block? {
        guard has(at, length) else { return nil }
        switch self {
        case .block(let block): return block.sub(at..<at + length)
        case .file(let file): return try file.span(at, length).block()
        }
    }

    /// The positions in the file of a range of the structure.
    func fileRanges(_ range: Range<Int>) -> [Range<Int>] {
        switch self {
        case .block(let block): block.fileRanges(range)
        case .file(let file): [file.base + range.lowerBound..<file.base + range.upperBound]
        }
    }
}
