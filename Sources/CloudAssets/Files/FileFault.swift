#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A failed system call on a file.
package struct FileFault: Error, CustomStringConvertible {
    package let call: String
    /// The system's error number; 0 for a truncated file.
    package let code: Int32

    package var description: String {
        let reason = code == 0 ? "it is shorter than it should be" : String(cString: strerror(code))
        return "a file cannot be used: \(call): \(reason)"
    }

    /// The last call's error, as an asset store error.
    package static func last(_ call: String) -> any Error {
        let code = errno
        return code == ENOSPC || code == EDQUOT || code == EFBIG ? AssetStoreFull() : FileFault(call: call, code: code)
    }
}

/// The storage is full.
package struct AssetStoreFull: Error {
    package init() {}
}
