import CloudSQL
import GRDBSQLite

/// A buffer for texts and blobs bound to one connection's statements, which saves SQLite an allocation per value.
///
/// Bound bytes stay until their statement's bindings are cleared; a nested statement's bytes follow those of the outer
/// statement.
final class BindingRoom {
    private static let size = 16 << 10

    private let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    /// Bytes in use.
    private(set) var used = 0

    deinit { start.deallocate() }

    /// Releases bytes above `mark`, after their bindings are cleared.
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
                // An empty blob needs a non-null address, otherwise SQLite binds NULL.
                sqlite3_bind_blob64(statement, index, address, UInt64(bytes.count), lifetime)
            }
        }
    }

    /// Copies the bytes into the buffer; without room, returns their own address and asks SQLite to copy.
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

// SQLITE_TRANSIENT, a cast that the importer cannot make: SQLite copies the bytes before the call returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
