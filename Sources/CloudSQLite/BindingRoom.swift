import CloudSQL
import GRDBSQLite

/// Memory for the texts and blobs that are bound to the statements of one connection: SQLite would allocate each by itself.
///
/// What is bound to a statement stays until its values are cleared; statements that run within another's rows have theirs
/// behind.
final class BindingRoom {
    private static let size = 16 << 10

    private let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    /// Bytes that are bound to statements now.
    private(set) var used = 0

    deinit { start.deallocate() }

    /// To be called once the values are cleared that were bound since ``used`` was `mark`.
    func giveBack(to mark: Int) { used = mark }

    func bind(_ value: SQLValue, to index: Int32, of statement: OpaquePointer) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .real(let real): sqlite3_bind_double(statement, index, real)
        case .text(var text):
            text.withUTF8 { utf8 in
                let bytes = UnsafeRawBufferPointer(utf8)
                let (address, lifetime) = copy(bytes)
                sqlite3_bind_text64(
                    statement, index, address.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), lifetime,
                    UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { bytes in
                let (address, lifetime) = copy(bytes)
                // A blob of no bytes is not NULL, for it has an address.
                sqlite3_bind_blob64(statement, index, address, UInt64(bytes.count), lifetime)
            }
        }
    }

    /// The address of the bytes here, or where they are with the request to SQLite to copy them.
    private func copy(_ bytes: UnsafeRawBufferPointer) -> (UnsafeRawPointer, sqlite3_destructor_type?) {
        guard let source = bytes.baseAddress, bytes.count <= Self.size - used else {
            return (bytes.baseAddress ?? UnsafeRawPointer(start), transient)
        }
        let place = start + used
        place.copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
        return (UnsafeRawPointer(place), nil)
    }
}

// SQLITE_TRANSIENT, a cast the importer cannot make: SQLite copies the bytes before it returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
