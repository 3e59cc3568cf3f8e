import CLinux
import Foundation

/// Copies a file in large pieces; `FileManager` copies 4 KB at a time.
package enum FileCopy {
    /// - Parameter target: a path without a file.
    package static func run(from source: String, to target: String) throws {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw FileFault.last("open") }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw FileFault.last("open") }
        defer { close(to) }
        guard clinux_copy(from, to) == 0 else { throw FileFault.last("sendfile") }
    }
}
