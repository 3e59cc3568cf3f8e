import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The service manager that started the program (`sd_notify(3)`): systemd, or any other owner of the socket in `NOTIFY_SOCKET`.
enum ServiceManager {
    #if os(Linux)
        /// Reports that the server listens; without a service manager does nothing.
        static func tellReady() {
            guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], let address = address(path) else {
                return
            }
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            let bytes = Array("READY=1".utf8)
            withUnsafePointer(to: address.value) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, address.length)
                }
            }
        }

        /// Nil for a relative path, or a path too long for a socket address. A path with a leading @ is in Linux's abstract
        /// namespace.
        private static func address(_ path: String) -> (value: sockaddr_un, length: socklen_t)? {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(path.utf8)
            guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"),
                bytes.count < MemoryLayout.size(ofValue: address.sun_path)
            else { return nil }
            if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
            return (address, socklen_t(start + bytes.count))
        }
    #else
        static func tellReady() {}
    #endif
}
