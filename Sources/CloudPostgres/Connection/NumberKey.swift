/// A number as ten bytes whose order is that of integers and reals together, without rounding.
///
/// A double holds 53 bits of the 63 that an integer has. So the key is the largest double that is not above the number,
/// with its bits turned so that bytes order them, and what is left over. ``EngineFunctions`` makes the same of columns.
struct NumberKey: Hashable {
    private let floor: Double
    private let rest: Int16

    /// Integers up to here in both directions are doubles.
    private static let exact: Int64 = 1 << 53
    private static let sign: UInt64 = 1 << 63

    init(_ integer: Int64) {
        var shift: Int64 = 0
        while !(-Self.exact...Self.exact).contains(integer >> shift) { shift += 1 }
        let whole = (integer >> shift) << shift
        floor = Double(whole)
        rest = Int16(integer - whole)
    }

    init(_ real: Double) {
        // Of the two zeros one.
        floor = real + 0.0
        rest = 0
    }

    /// Nil for bytes that are no number's key.
    init?(bytes: [UInt8]) {
        guard bytes.count == 10 else { return nil }
        let turned = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        floor = Double(bitPattern: turned & Self.sign == 0 ? ~turned : turned ^ Self.sign)
        rest = Int16(bytes[8]) << 8 | Int16(bytes[9])
    }

    var bytes: [UInt8] {
        let bits = floor.bitPattern
        return (bits & Self.sign == 0 ? bits ^ Self.sign : ~bits).bigEndianBytes + rest.bigEndianBytes
    }

    /// The number in decimal digits.
    var digits: String { Int64(exactly: floor).map { String($0 + Int64(rest)) } ?? "\(floor)" }
}
