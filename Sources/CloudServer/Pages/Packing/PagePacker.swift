import CZlib
import NIOCore

/// Packs a page as gzip without comparing any value in it with anything.
///
/// Repetitions are looked for in the text of the templates alone, and values go as they are, in deflate's fixed code; a value
/// that is a repeated text by the make of the page is a reference to the same text before. So the
/// length tells how long the values are, as it does unpacked, and nothing of what is in them: a secret beside text of
/// somebody else's stays one.
struct PagePacker {
    private static let window = 32_768
    private static let shortest = 4
    private static let longest = 258
    /// Earlier places that are tried for a repetition.
    private static let mostTries = 24
    private static let hashBits = 15
    /// Below this there is nothing to be had.
    private static let smallest = 1024

    /// - Returns: nil when packing makes nothing smaller.
    static func pack(_ page: RenderedPage) -> ByteBuffer? {
        guard page.bytes.count >= smallest else { return nil }
        var writer = DeflateWriter(capacity: page.bytes.count / 3)
        page.bytes.withUnsafeBufferPointer { bytes in
            var isValue = [Bool](repeating: false, count: bytes.count)
            for value in page.values { for index in value { isValue[index] = true } }
            isValue.withUnsafeBufferPointer {
                PagePacker(bytes: bytes, isValue: $0).write(to: &writer, page.repeated)
            }
        }
        let packed = writer.finish(page.bytes)
        return packed.count < page.bytes.count ? ByteBuffer(bytes: packed) : nil
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let isValue: UnsafeBufferPointer<Bool>

    private func write(to writer: inout DeflateWriter, _ repeated: [Range<Int>]) {
        var heads = [Int32](repeating: -1, count: 1 << Self.hashBits)
        var earlier = [Int32](repeating: -1, count: bytes.count)
        var texts = RepeatedTexts(repeated)
        heads.withUnsafeMutableBufferPointer { heads in
            earlier.withUnsafeMutableBufferPointer { earlier in
                var position = 0
                while position < bytes.count {
                    if let text = texts.next(at: position) {
                        write(text, earlier: texts.place(of: bytes[text]), to: &writer)
                        position = text.upperBound
                        continue
                    }
                    guard let hash = hash(position) else {
                        writer.literal(bytes[position])
                        position += 1
                        continue
                    }
                    let (length, distance) = repetition(at: position, heads[hash], earlier)
                    if length == 0 { writer.literal(bytes[position]) } else { writer.copy(length, distance) }
                    for place in position..<position + max(length, 1) {
                        guard let hash = self.hash(place) else { continue }
                        earlier[place] = heads[hash]
                        heads[hash] = Int32(truncatingIfNeeded: place)
                    }
                    position += max(length, 1)
                }
            }
        }
    }

    /// Writes a repeated text as a reference to where it stood before, if that is not too far back.
    private func write(_ text: Range<Int>, earlier: Int?, to writer: inout DeflateWriter) {
        var position = text.lowerBound
        if let earlier, position - earlier <= Self.window {
            while text.upperBound - position >= Self.shortest {
                let length = min(Self.longest, text.upperBound - position)
                writer.copy(length, text.lowerBound - earlier)
                position += length
            }
        }
        for index in position..<text.upperBound { writer.literal(bytes[index]) }
    }

    /// The hash of the four bytes at a place; nil where not all of them are the templates'.
    private func hash(_ position: Int) -> Int? {
        guard position + Self.shortest <= bytes.count else { return nil }
        var word: UInt32 = 0
        for index in position..<position + Self.shortest {
            if isValue[index] { return nil }
            word = word << 8 | UInt32(bytes[index])
        }
        return Int((word &* 2_654_435_761) >> UInt32(32 - Self.hashBits))
    }

    /// The longest repetition at a place of templates' text of earlier such text.
    private func repetition(
        at position: Int, _ head: Int32, _ earlier: UnsafeMutableBufferPointer<Int32>
    ) -> (length: Int, distance: Int) {
        var (candidate, tries, best) = (Int(head), Self.mostTries, (length: 0, distance: 0))
        let most = min(Self.longest, bytes.count - position)
        while candidate >= 0, position - candidate <= Self.window, tries > 0 {
            var length = 0
            while length < most, bytes[candidate + length] == bytes[position + length],
                !isValue[position + length], !isValue[candidate + length]
            { length += 1 }
            if length >= Self.shortest, length > best.length { best = (length, position - candidate) }
            if length == most { break }
            candidate = Int(earlier[candidate])
            tries -= 1
        }
        return best
    }
}

/// The repeated texts of a page, and where each stood last.
private struct RepeatedTexts {
    private let ranges: [Range<Int>]
    private var index = 0
    private var places: [[UInt8]: Int] = [:]

    init(_ ranges: [Range<Int>]) { self.ranges = ranges }

    /// The text that begins at a place; nil where none does.
    mutating func next(at position: Int) -> Range<Int>? {
        guard index < ranges.count, ranges[index].lowerBound == position else { return nil }
        index += 1
        return ranges[index - 1]
    }

    /// The place at which a text stood last; nil for the first of its kind. It stands here from now on.
    mutating func place(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let bytes = Array(text)
        defer { places[bytes] = text.startIndex }
        return places[bytes]
    }
}

/// One block of deflate in the fixed code (RFC 1951 section 3.2.6), in the frame of gzip (RFC 1952).
private struct DeflateWriter {
    private var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    private var bits: UInt64 = 0
    private var count = 0

    init(capacity: Int) {
        output.reserveCapacity(capacity)
        // The last block, in the fixed code.
        append(0b011, 3)
    }

    private mutating func append(_ value: Int, _ width: Int) {
        bits |= UInt64(value) << UInt64(count)
        count += width
        while count >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            count -= 8
        }
    }

    mutating func literal(_ byte: UInt8) { append(Self.symbols[Int(byte)]) }

    private mutating func append(_ symbol: Symbol) { append(symbol.code, symbol.width) }

    mutating func copy(_ length: Int, _ distance: Int) {
        let lengthIndex = Self.lengths.lastIndex { $0.base <= length } ?? 0
        append(Self.symbols[257 + lengthIndex])
        append(length - Self.lengths[lengthIndex].base, Self.lengths[lengthIndex].extra)
        let distanceIndex = Self.distances.lastIndex { $0.base <= distance } ?? 0
        append(Self.reversed(distanceIndex, 5), 5)
        append(distance - Self.distances[distanceIndex].base, Self.distances[distanceIndex].extra)
    }

    /// - Parameter bytes: all that was written.
    mutating func finish(_ bytes: [UInt8]) -> [UInt8] {
        append(Self.symbols[256])
        if count > 0 { append(0, 8 - count) }
        let checksum = UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
        for value in [checksum, UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in [0, 8, 16, 24] { output.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
        }
        return output
    }

    private struct Symbol {
        let code: Int
        let width: Int
    }

    private static let symbols: [Symbol] = (0..<288).map { symbol in
        switch symbol {
        case ..<144: Symbol(code: reversed(0x30 + symbol, 8), width: 8)
        case ..<256: Symbol(code: reversed(0x190 + symbol - 144, 9), width: 9)
        case ..<280: Symbol(code: reversed(symbol - 256, 7), width: 7)
        default: Symbol(code: reversed(0xC0 + symbol - 280, 8), width: 8)
        }
    }

    /// The first length or distance of each symbol, with the bits that tell which it is.
    private typealias Step = (base: Int, extra: Int)

    private static let lengths: [Step] =
        steps(from: 3, extras: [0, 0, 0, 0, 0, 0, 0, 0] + pairs(1...5, times: 4)) + [(258, 0)]
    private static let distances: [Step] = steps(from: 1, extras: [0, 0, 0, 0] + pairs(1...13, times: 2))

    private static func pairs(_ extras: ClosedRange<Int>, times: Int) -> [Int] {
        extras.flatMap { [Int](repeating: $0, count: times) }
    }

    private static func steps(from first: Int, extras: [Int]) -> [Step] {
        var base = first
        return extras.map { extra in
            defer { base += 1 << extra }
            return (base, extra)
        }
    }

    private static func reversed(_ code: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { $0 << 1 | code >> $1 & 1 }
    }
}
