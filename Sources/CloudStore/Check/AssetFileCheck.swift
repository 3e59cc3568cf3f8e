import CloudModel
import Crypto
import Foundation

/// Compares the contents of an asset with what was stored.
enum AssetFileCheck {
    private static let chunk = 1 << 20

    /// What is wrong with the file; nil when it has the size and the checksum.
    static func fault(of path: String, key: String, size: Int64) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? "it is missing" : "it cannot be opened: \(String(cString: strerror(errno)))"
        }
        defer { close(descriptor) }
        var sha256 = SHA256()
        var found: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = read(descriptor, &buffer, chunk)
            if count < 0 {
                if errno == EINTR { continue }
                return "it cannot be read: \(String(cString: strerror(errno)))"
            }
            if count == 0 { break }
            buffer.withUnsafeBytes { sha256.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            found += Int64(count)
        }
        guard found == size else { return "it has \(found) of \(size) bytes" }
        return AssetKey(sha256: Array(sha256.finalize())).text == key ? nil : "its checksum is another"
    }
}
