import Foundation
import Glibc

/// Copies a file in large pieces; `FileManager` has the kernel copy 4 KB at a time.
package enum FileCopy {
    /// - Parameter target: of no file.
    package static func run(from source: String, to target: String) throws {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw FileFault.last("open") }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw FileFault.last("open") }
        defer { close(to) }
        while true {
            let copied = sendfile(to, from, nil, mostAtATime)
            if copied == 0 { return }
            if copied < 0, errno != EINTR { throw FileFault.last("sendfile") }
        }
    }

    private static let mostAtATime = 1 << 30
}
