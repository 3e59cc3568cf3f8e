import GRDBSQLite

/// The header of a WAL index, which changes with every commit of any process
/// (sqlite.org/walformat.html#the_wal_index_header).
///
/// Read from the connection's own mapping: a second mapping would have to be closed, and closing the file drops this
/// process's locks.
struct LogHeader {
    /// The header's first copy: counters, salts, checksum, and zero padding.
    typealias Bytes = SIMD8<UInt64>

    private static let size = 48
    private static let regionSize: Int32 = 32_768

    private let region: UnsafeRawPointer

    /// - Parameter connection: a connection that has read and stays open while the header is read.
    /// - Returns: nil for a database without a WAL.
    init?(of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2, let map = methods.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
        self.region = UnsafeRawPointer(region)
    }

    /// The current header; during a commit it may mix old and new bytes.
    func read() -> Bytes {
        var bytes = Bytes(repeating: 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: region, count: Self.size))
        }
        return bytes
    }

    /// The log's size in bytes up to its last commit, stable only under the write lock.
    func logBytes() -> Int64 {
        let pageSize = region.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
        let frames = region.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
        // A stored page size of 1 means 65,536.
        return 32 + Int64(frames) * (24 + (pageSize == 1 ? 65_536 : Int64(pageSize)))
    }
}
