import Foundation
package import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// The source of a request, as far as attempts are counted: an IPv4 address, or the 64 bits of an IPv6 address that one
/// household or server has.
package struct ClientAddress: Hashable, Sendable {
    package let text: String

    /// The network that whoever has the address can be taken to have: an IPv4 address, or the first 48 bits of an IPv6
    /// address, which providers give to one customer.
    package let network: String

    /// - Parameter trustForwardedFor: whether a proxy in front is known to add the client's address to
    ///   `X-Forwarded-For`. The last one counts, since the ones before it are the client's own claim. Where it is no
    ///   address, the peer's counts.
    package init?(headers: HTTPFields, peer: SocketAddress?, trustForwardedFor: Bool) {
        if trustForwardedFor, let address = Self.lastForwarded(headers).flatMap(ForwardedAddress.read) {
            self.init(address)
        } else if let peer {
            self.init(peer)
        } else {
            return nil
        }
    }

    /// What stands in `X-Forwarded-For` for the client, when that is no address; nil when it is one, or nothing.
    static func unreadable(_ headers: HTTPFields) -> String? {
        lastForwarded(headers).flatMap { ForwardedAddress.read($0) == nil ? $0 : nil }
    }

    /// The last entry of all fields of the name, which make one list. Empty entries do not count (RFC 9110 §5.6.1).
    private static func lastForwarded(_ headers: HTTPFields) -> String? {
        for value in headers[values: .forwardedFor].reversed() {
            for entry in value.split(separator: ",").reversed() {
                let entry = entry.trimmingCharacters(in: .whitespaces)
                if !entry.isEmpty { return entry }
            }
        }
        return nil
    }

    /// The network of an address, given its text; nil for an empty one.
    static func network(of text: String) -> String? {
        guard !text.isEmpty else { return nil }
        guard text.hasSuffix("::/64") else { return text }
        return text.split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
    }

    private init?(_ address: SocketAddress) {
        switch address {
        case .v4:
            text = address.ipAddress ?? ""
            network = text
        case .v6:
            var bytes = [UInt8](repeating: 0, count: 16)
            guard inet_pton(AF_INET6, address.ipAddress ?? "", &bytes) == 1 else { return nil }
            // An IPv4 client of a socket that listens to both.
            if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
                text = bytes.suffix(4).map(String.init).joined(separator: ".")
                network = text
            } else {
                let groups = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
                text = groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
                network = Self.network(of: text) ?? text
            }
        case .unixDomainSocket: return nil
        }
    }
}
