import Foundation
package import HTTPTypes
package import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// The source of a request, as far as attempts are counted: an IPv4 address, or the 64 bits of an IPv6 address that one
/// household or server has.
package struct ClientAddress: Hashable, Sendable {
    package let text: String

    /// - Parameter trustForwardedFor: whether a proxy in front is known to add the client's address to
    ///   `X-Forwarded-For`. The last one counts, since the ones before it are the client's own claim.
    package init?(headers: HTTPFields, peer: SocketAddress?, trustForwardedFor: Bool) {
        if trustForwardedFor,
            let last = headers[values: .forwardedFor].last?.split(separator: ",").last
                .map({ $0.trimmingCharacters(in: .whitespaces) }),
            let address = try? SocketAddress(ipAddress: last, port: 0)
        {
            self.init(address)
        } else if let peer {
            self.init(peer)
        } else {
            return nil
        }
    }

    private init?(_ address: SocketAddress) {
        switch address {
        case .v4: text = address.ipAddress ?? ""
        case .v6:
            var bytes = [UInt8](repeating: 0, count: 16)
            guard inet_pton(AF_INET6, address.ipAddress ?? "", &bytes) == 1 else { return nil }
            // An IPv4 client of a socket that listens to both.
            if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
                text = bytes.suffix(4).map(String.init).joined(separator: ".")
            } else {
                let groups = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
                text = groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
            }
        case .unixDomainSocket: return nil
        }
    }
}
