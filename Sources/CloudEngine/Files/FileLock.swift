import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive file lock, held until release or the end of the process, crashes included.
package final class FileLock: Sendable {
    /// Another process holds the lock.
    package struct Held: Error {}

    let descriptor: Int32

    /// - Parameter wait: true to wait for another holder; false to throw ``Held``.
    /// - Throws: ``Held``, or a `POSIXError` when the file cannot be made.
    package init(path: String, wait: Bool) throws {
        // Set at the end: an initializer that throws once all is set runs `deinit`, which would close the descriptor again.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        while flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            if code == EWOULDBLOCK { throw Held() }
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        self.descriptor = descriptor
    }

    /// Replaces the text in the lock file, which other processes read while the lock is held.
    package func note(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// The lock holder's note in a lock file; empty if there is none.
    package static func note(at path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Releases the lock early; the object must not be used afterwards.
    package func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        // A child process inherits the descriptor between fork and exec, which would keep the lock after `close`.
        release()
        close(descriptor)
    }
}
