import CLinux
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Checks early that the server can listen on its address, before other work begins.
enum FreePort {
    /// - Throws: ``Complaint`` if the port is taken or the address belongs to another machine.
    static func check(host: String, port: Int) throws {
        // The system chooses a free port.
        guard port != 0 else { return }
        var hints = addrinfo()
        hints.ai_socktype = clinux_stream()
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let address = found else {
            throw Complaint("cannot listen at \(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
        // The server itself reports any other fault.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) != 0 else { return }
        switch errno {
        case EADDRINUSE:
            throw Complaint("port \(port) of \(host) is taken by another program; name another with --port")
        case EACCES: throw Complaint("port \(port) needs more rights than this program has; name another with --port")
        case EADDRNOTAVAIL:
            throw Complaint("\(host) is no address of this machine; name another with --host")
        case let code: throw Complaint("cannot listen at \(host), port \(port): \(String(cString: strerror(code)))")
        }
    }
}
