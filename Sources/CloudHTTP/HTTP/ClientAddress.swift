import Foundation
package import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// A client address for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, which one household or
/// server shares.
package struct ClientAddress: Hashable, Sendable {
    package let text: String

    /// The customer's network: an IPv4 address, or the first 48 bits of an IPv6 address, a usual allocation of providers.
    package let network: String

    /// - Parameter trustForwardedFor: true behind a proxy that appends the client's address to `X-Forwarded-For`. The last
    ///   entry counts: the client may have forged earlier entries. For a malformed entry the peer's address counts.
    package init?(headers: HTTPFields, peer: SocketAddress?, trustForwardedFor: Bool) {
        if trustForwardedFor, let address = Self.lastForwarded(headers).flatMap(ForwardedAddress.read) {
            self.init(address)
        } else if let peer {
            self.init(peer)
        } else {
            return nil
        }
    }

    /// The last entry of `X-Forwarded-For` if it is not an address; otherwise nil.
    package static func unreadable(_ headers: HTTPFields) -> String? {
        lastForwarded(headers).flatMap { ForwardedAddress.read($0) == nil ? $0 : nil }
    }

    /// The last non-empty entry across all `X-Forwarded-For` fields, which form one list (RFC 9110 §5.6.1).
    private static func lastForwarded(_ headers: HTTPFields) -> String? {
        for value in headers[values: .forwardedFor].reversed() {
            for entry in value.split(separator: ",").reversed() {
                let entry = entry.trimmingCharacters(in: .whitespaces)
                if !entry.isEmpty { return entry }
            }
        }
        return nil
    }

    /// The network of an address text; nil for an empty text.
    package static func network(of text: String) -> String? {
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
            // IPv4-mapped: an IPv4 client of a dual-stack socket.
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
