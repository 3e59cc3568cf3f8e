#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A system call on an asset's file that failed.
struct FileFault: Error {
    let call: String
    let code: Int32

    /// The error of the call just made, in the terms of the asset store.
    static func last(_ call: String) -> any Error {
        let code = errno
        return code == ENOSPC || code == EDQUOT || code == EFBIG ? AssetStoreFull() : FileFault(call: call, code: code)
    }

    /// Puts a folder's entries on disk.
    static func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw last("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw last("fsync") }
    }
}
