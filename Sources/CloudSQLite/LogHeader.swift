import GRDBSQLite

/// The header of a write-ahead log's index, which every commit of whatever process changes
/// (sqlite.org/walformat.html#the_wal_index_header).
///
/// It is read where the connection itself has it in memory, since a second mapping of the file would have to be closed
/// some day, and closing a file ends the locks that the process holds on it.
struct LogHeader {
    /// Its first copy, of counters, salts and a checksum, and zeros.
    typealias Bytes = SIMD8<UInt64>

    private static let size = 48
    private static let regionSize: Int32 = 32_768

    private let region: UnsafeRawPointer

    /// - Parameter connection: that has read something, and stays open for as long as the header is read.
    /// - Returns: nil for a database without such a log.
    init?(of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2, let map = methods.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
        self.region = UnsafeRawPointer(region)
    }

    /// The header as it is now; halfway through a commit it may be like neither that before nor that after.
    func read() -> Bytes {
        var bytes = Bytes(repeating: 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: region, count: Self.size))
        }
        return bytes
    }

    /// The bytes of the log up to its last commit. Only while the caller holds the write lock is it sure to stay so.
    func logBytes() -> Int64 {
        let pageSize = region.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
        let frames = region.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
        // 1 stands for 65,536.
        return 32 + Int64(frames) * (24 + (pageSize == 1 ? 65_536 : Int64(pageSize)))
    }
}
