/// A number as ten bytes, ordered across integers and reals without rounding.
///
/// A double holds only 53 of an integer's 63 bits. So the key is the largest double not above the number, with sortable
/// bits, followed by the integer remainder. ``EngineFunctions`` computes the same keys in SQL.
struct NumberKey: Hashable {
    private let floor: Double
    private let rest: Int16

    /// Integers within this bound are exact as doubles.
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
        // Maps negative zero to zero.
        floor = real + 0.0
        rest = 0
    }

    /// Nil for bytes of the wrong length.
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
