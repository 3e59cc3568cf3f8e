import GRDBSQLite

/// Syncs a connection's file writes in pieces, so that a sync of another file on the disk waits for one piece only.
///
/// Replaces the file's I/O methods for this connection alone, like a custom VFS.
final class PacedWrites {
    /// The replaced methods. They come first, so that SQLite's pointer to the methods also points to this struct.
    private struct Paced {
        var methods: sqlite3_io_methods
        let original: sqlite3_io_methods
        let piece: Int
        var unsynced = 0
        var syncs = 0

        /// - Returns: a SQLite result code.
        mutating func write(
            _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64, to file: UnsafeMutablePointer<sqlite3_file>
        ) -> Int32 {
            let code = original.xWrite(file, bytes, count, offset)
            unsynced += Int(count)
            guard code == SQLITE_OK, unsynced >= piece else { return code }
            unsynced = 0
            syncs += 1
            return original.xSync(file, DatabaseFile.syncFlags)
        }
    }

    private let paced: UnsafeMutablePointer<Paced>

    /// - Parameters:
    ///   - connection: closed before this object is freed.
    ///   - piece: bytes between two syncs.
    /// - Returns: nil if the connection has no file.
    init?(on connection: OpaquePointer, piece: Int) {
        guard let file = DatabaseFile.handle(of: connection), let original = file.pointee.pMethods?.pointee else {
            return nil
        }
        paced = .allocate(capacity: 1)
        paced.initialize(to: Paced(methods: original, original: original, piece: piece))
        paced.pointee.methods.xWrite = { file, bytes, count, offset in
            guard let file, let methods = file.pointee.pMethods else { return SQLITE_IOERR }
            return UnsafeMutableRawPointer(mutating: methods).assumingMemoryBound(to: Paced.self).pointee
                .write(bytes, count, offset, to: file)
        }
        file.pointee.pMethods = UnsafeRawPointer(paced).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    /// Syncs added between writes.
    var syncs: Int { paced.pointee.syncs }

    deinit {
        paced.deinitialize(count: 1)
        paced.deallocate()
    }
}
