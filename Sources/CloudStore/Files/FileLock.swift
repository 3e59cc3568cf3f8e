import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock on a file, held by this process until it is released or the process ends, however it ends.
package final class FileLock: Sendable {
    /// Another process holds the lock.
    package struct Held: Error {}

    let descriptor: Int32

    /// - Parameter wait: whether to wait for another holder or to refuse at once.
    /// - Throws: ``Held``, or a `POSIXError` when the file cannot be made.
    package init(path: String, wait: Bool) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        while flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            if code == EWOULDBLOCK { throw Held() }
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
    }

    /// Replaces what stands in the file, for others to read while the lock is held.
    package func note(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// The note of the lock's holder on a file; empty when it has not said anything yet.
    package static func note(at path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Lets go early; the lock is of no use afterwards.
    package func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        // A child process has a copy of the descriptor between its fork and its exec, and a copy keeps the lock.
        release()
        close(descriptor)
    }
}
