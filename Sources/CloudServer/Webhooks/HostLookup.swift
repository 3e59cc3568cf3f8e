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

    /// By way of its spelling, which has no layout that differs between systems. The interface after a `%` is left out.
    private static func address(_ entry: addrinfo) -> IPAddress? {
        var spelling = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &spelling, socklen_t(spelling.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        if let end = spelling.firstIndex(of: CChar(UInt8(ascii: "%"))) { spelling[end] = 0 }
        var bytes = [UInt8](repeating: 0, count: entry.ai_family == AF_INET6 ? 16 : 4)
        guard inet_pton(entry.ai_family, spelling, &bytes) == 1 else { return nil }
        return IPAddress(bytes)
    }
}
