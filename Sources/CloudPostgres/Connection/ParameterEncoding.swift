import CloudModel
import CloudSQL

/// The binary encoding of a value for a parameter type.
enum ParameterEncoding {
    /// Thrown before sending a value that does not fit the parameter's type, a fault of the program.
    struct Mismatch: Error, CustomStringConvertible {
        let value: SQLValue
        let type: PostgresType

        var description: String {
            let kind =
                switch value {
                case .null: "NULL"
                case .integer: "an integer"
                case .real: "a real"
                case .text: "a text"
                case .blob: "bytes"
                }
            return "\(kind) bound to a parameter of type \(type.rawValue)"
        }
    }

    /// - Returns: nil for NULL.
    /// - Throws: ``Mismatch``; `BAD_REQUEST` for a text with a zero character.
    static func bytes(_ value: SQLValue, as type: PostgresType) throws -> [UInt8]? {
        switch (value, type) {
        case (.null, _): return nil
        case (.integer(let integer), .int8): return integer.bigEndianBytes
        case (.integer(let integer), .int4):
            if let small = Int32(exactly: integer) { return small.bigEndianBytes }
        case (.integer(let integer), .int2):
            if let small = Int16(exactly: integer) { return small.bigEndianBytes }
        case (.integer(let integer), .bool): return [integer == 0 ? 0 : 1]
        case (.integer(let integer), .float8):
            // Query keys may lose digits; the response body keeps the exact number.
            return Double(integer).bitPattern.bigEndianBytes
        case (.real(let real), .float8): return real.bitPattern.bigEndianBytes
        case (.text(let text), .text), (.text(let text), .name), (.text(let text), .json):
            let bytes = Array(text.utf8)
            guard !bytes.contains(0) else {
                throw ServerError.badRequest("a text in the request has the character U+0000, which cannot be stored")
            }
            return bytes
        case (.blob(let bytes), .bytea): return bytes
        case (_, .bytea): return untyped(value)
        default: break
        }
        throw Mismatch(value: value, type: type)
    }

    /// A one-dimensional array.
    static func array(_ values: [SQLValue], of type: PostgresType) throws -> [UInt8] {
        let elements = try values.map { try bytes($0, as: type) }
        let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
        // The number of dimensions, the null flag, the element type, then length and first index.
        let head = [1, hasNull, Int32(bitPattern: type.rawValue), Int32(elements.count), 1]
        var array = head.flatMap(\.bigEndianBytes)
        array.reserveCapacity(array.count + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        for element in elements {
            array += Int32(element?.count ?? -1).bigEndianBytes
            array += element ?? []
        }
        return array
    }

    /// Encodes a value for an untyped column: UTF-8 text keeps its order, and numbers become keys. A field holds values
    /// of one type, so encodings never collide. The SQL function `untyped` does the same (``EngineFunctions``).
    private static func untyped(_ value: SQLValue) -> [UInt8]? {
        switch value {
        case .null: nil
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .integer(let integer): NumberKey(integer).bytes
        case .real(let real): NumberKey(real).bytes
        }
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    init(bigEndianBytes bytes: UnsafeRawBufferPointer) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
