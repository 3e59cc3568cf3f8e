import GRDBSQLite

/// Has what one connection writes to its file synced a piece at a time, so that whoever syncs another file on the disk
/// waits for a piece of it and not for all.
///
/// It stands between SQLite and the methods of the file, as a VFS of one's own does, for this connection alone.
final class PacedWrites {
    /// What SQLite calls for the file. The methods come first, so that a pointer to them is one to all of it.
    private struct Paced {
        var methods: sqlite3_io_methods
        let original: sqlite3_io_methods
        let piece: Int
        var unsynced = 0
        var syncs = 0

        /// - Returns: a code of SQLite's.
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
    ///   - connection: to be closed before this ends.
    ///   - piece: bytes that are written between two syncs.
    /// - Returns: nil where the connection has no file.
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

    /// Syncs between the writes so far.
    var syncs: Int { paced.pointee.syncs }

    deinit {
        paced.deinitialize(count: 1)
        paced.deallocate()
    }
}
