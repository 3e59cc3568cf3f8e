import CZlib

/// Writes a single deflate block in the fixed code (RFC 1951 section 3.2.6), framed as gzip (RFC 1952).
struct DeflateWriter {
    private var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    private var bits: UInt64 = 0
    private var count = 0

    init(capacity: Int) {
        output.reserveCapacity(capacity)
        // The header of a final block in the fixed code.
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

    /// - Parameter bytes: the uncompressed bytes, for the checksum.
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

    /// A symbol's base length or distance, with its number of extra bits.
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
