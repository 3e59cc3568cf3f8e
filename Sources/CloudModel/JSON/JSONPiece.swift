#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A short run of JSON text, composed on the stack and appended at once.
///
/// Appending a byte costs as much as appending a hundred, and an object of two members has a dozen quotes, commas and braces.
struct JSONPiece {
    /// The maximum size of a piece, in bytes.
    static let room = 512

    private let start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0

    init(at start: UnsafeMutablePointer<UInt8>) { self.start = start }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    mutating func put(_ byte: UInt8) {
        precondition(count < Self.room)
        start[count] = byte
        count += 1
    }

    mutating func put(_ text: StaticString) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        guard let address = text.baseAddress else { return }
        precondition(text.count <= Self.room - count)
        memcpy(start + count, address, text.count)
        count += text.count
    }

    /// `"key":`
    mutating func put(key: StaticString) {
        put(UInt8(ascii: "\""))
        put(key)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
    }

    mutating func put(_ value: Int64) {
        if value < 0 { put(UInt8(ascii: "-")) }
        var digits = 1
        var bound: UInt64 = 10
        let magnitude = value.magnitude
        while digits < 19, magnitude >= bound {
            digits += 1
            bound *= 10
        }
        if magnitude >= 10_000_000_000_000_000_000 { digits = 20 }
        precondition(digits <= Self.room - count)
        var rest = magnitude
        for place in (0..<digits).reversed() {
            start[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }
}
