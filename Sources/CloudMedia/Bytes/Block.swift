/// Metadata in memory, with the positions that its bytes have in the file.
struct Block {
    /// The largest block that is read.
    static let most = 2 << 20
    /// The most bytes of all blocks of a file.
    static let mostOfFile = 4 << 20

    private(set) var bytes: [UInt8] = []
    private var pieces: [(start: Int, file: Int, count: Int)] = []

    init() {}

    init(_ bytes: [UInt8], at file: Int) { append(bytes, at: file) }

    mutating func append(_ more: [UInt8], at file: Int) {
        pieces.append((bytes.count, file, more.count))
        bytes += more
    }

    mutating func append(_ other: Block) {
        for piece in other.pieces {
            append(Array(other.bytes[piece.start..<piece.start + piece.count]), at: piece.file)
        }
    }

    var count: Int { bytes.count }

    /// The part of the block in `range`, which lies inside.
    func sub(_ range: Range<Int>) -> Block {
        var part = Block()
        for piece in pieces {
            let common = range.clamped(to: piece.start..<piece.start + piece.count)
            if !common.isEmpty { part.append(Array(bytes[common]), at: piece.file + common.lowerBound - piece.start) }
        }
        return part
    }

    /// The positions in the file of a range of the block.
    func fileRanges(_ range: Range<Int>) -> [Range<Int>] {
        pieces.compactMap { piece in
            let part = range.clamped(to: piece.start..<piece.start + piece.count)
            guard !part.isEmpty else { return nil }
            let start = piece.file + part.lowerBound - piece.start
            return start..<start + part.count
        }
    }

    func number(_ at: Int, _ length: Int, isLittle: Bool = false) -> Int? {
        guard at >= 0, length >= 0, length <= 8, length <= bytes.count, at <= bytes.count - length else { return nil }
        var value: UInt64 = 0
        for index in 0..<length {
            value = value << 8 | UInt64(bytes[isLittle ? at + length - 1 - index : at + index])
        }
        return Int(clamping: value)
    }

    func slice(_ at: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard at >= 0, length >= 0, length <= bytes.count, at <= bytes.count - length else { return nil }
        return bytes[at..<at + length]
    }

    func has(_ signature: String, at: Int = 0) -> Bool {
        let expected = signature.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return slice(at, expected.count).map { $0.elementsEqual(expected) } ?? false
    }
}
