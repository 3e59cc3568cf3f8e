#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A system call on an asset's file that failed.
struct FileFault: Error, CustomStringConvertible {
    let call: String
    /// Of the system; 0 for a file that ended too early.
    let code: Int32

    var description: String {
        let reason = code == 0 ? "it is shorter than it should be" : String(cString: strerror(code))
        return "a file cannot be used: \(call): \(reason)"
    }

    /// The error of the call just made, in the terms of the asset store.
    static func last(_ call: String) -> any Error {
        let code = errno
        return code == ENOSPC || code == EDQUOT || code == EFBIG ? AssetStoreFull() : FileFault(call: call, code: code)
    }
}

/// There is no room for more.
package struct AssetStoreFull: Error {}
