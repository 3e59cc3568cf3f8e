import CPostgres
import CloudSQL

/// The columns of a row in binary format.
struct PostgresColumns: SQLColumns {
    let result: PostgresResult

    func isNull(_ column: Int) -> Bool { PQgetisnull(result.pointer, 0, Int32(column)) != 0 }

    func integer(_ column: Int) -> Int64 {
        withBytes(column) { bytes in
            switch bytes.count {
            case 1: Int64(bytes[0])
            case 2: Int64(Int16(bigEndianBytes: bytes))
            case 4: Int64(Int32(bigEndianBytes: bytes))
            case 8 where type(column) == .float8: Int64(Double(bitPattern: UInt64(bigEndianBytes: bytes)))
            case 8: Int64(bigEndianBytes: bytes)
            default: 0
            }
        }
    }

    func real(_ column: Int) -> Double {
        guard type(column) == .float8 else { return Double(integer(column)) }
        return withBytes(column) { $0.count == 8 ? Double(bitPattern: UInt64(bigEndianBytes: $0)) : 0 }
    }

    /// Numbers become decimal digits, as in SQLite.
    func text(_ column: Int) -> String {
        switch type(column) {
        case .bool, .int2, .int4, .int8: isNull(column) ? "" : String(integer(column))
        case .float8: isNull(column) ? "" : String(real(column))
        default: withBytes(column) { String(decoding: $0, as: UTF8.self) }
        }
    }

    func blob(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

    func value(_ column: Int) -> SQLValue {
        if isNull(column) { return .null }
        switch type(column) {
        case .float8: return .real(real(column))
        case .text, .name: return .text(text(column))
        case .bytea: return .blob(blob(column))
        default: return .integer(integer(column))
        }
    }

    private func type(_ column: Int) -> PostgresType {
        PostgresType(rawValue: PQftype(result.pointer, Int32(column)))
    }

    private func withBytes<T>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        let count = Int(PQgetlength(result.pointer, 0, Int32(column)))
        return body(UnsafeRawBufferPointer(start: PQgetvalue(result.pointer, 0, Int32(column)), count: count))
    }
}

extension PostgresResult {
    /// - Throws: when a column's type has no binary decoder here.
    func requireReadable(_ sql: String) throws {
        for column in 0..<PQnfields(pointer) {
            let type = PostgresType(rawValue: PQftype(pointer, column))
            guard Self.readable.contains(type) else {
                throw SQLError(.other, "column \(column) has the type \(type.rawValue), which cannot be read", sql: sql)
            }
        }
    }

    private static let readable: Set<PostgresType> = [
        .bool, .bytea, .name, .int8, .int2, .int4, .text, .float8, .void, .unknown,
    ]
}
