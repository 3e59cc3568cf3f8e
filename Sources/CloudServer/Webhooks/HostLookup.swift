package import CloudModel
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The addresses of a host, as the system finds them.
package enum HostLookup {
    /// The host has none, or nobody can tell.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// All addresses, the best first. An address in any of its spellings is its own.
    ///
    /// On a thread of its own, because the system's call blocks, for as long as name servers do not answer. It is
    /// left behind when the task is cancelled.
    package static func addresses(of host: String) async throws -> [IPAddress] {
        let (answers, source) = AsyncThrowingStream<[IPAddress], any Error>.makeStream()
        Thread.detachNewThread {
            source.yield(with: Result { try find(host) })
            source.finish()
        }
        for try await addresses in answers { return addresses }
        throw CancellationError()
    }

    private static func find(_ host: String) throws -> [IPAddress] {
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, nil, &list)
        guard status == 0 else {
            throw Failure(description: "\(host) has no address: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            // One entry for each kind of socket.
            if let address = address(entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw Failure(description: "\(host) has no address") }
        return addresses
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let raw = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { IPAddress($0) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { IPAddress($0) }
        default: return nil
        }
    }
}
