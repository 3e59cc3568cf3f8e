import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Ports of the loopback that nothing listens at, over TCP or UDP.
///
/// They lie below those that the kernel gives to connections, which could take a port before its program listens.
package enum FreePorts {
    private static let range = 20_000..<32_768
    private static let given = Mutex(Set<Int>())

    package struct NoneLeft: Error {}

    /// Different ports, each given once in a process.
    package static func take(_ count: Int) throws -> [Int] { try (0..<count).map { _ in try one() } }

    package static func one() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: range)
            guard isFree(port, SOCK_STREAM), isFree(port, SOCK_DGRAM) else { continue }
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw NoneLeft()
    }

    private static func isFree(_ port: Int, _ kind: __socket_type) -> Bool {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
    }
}
