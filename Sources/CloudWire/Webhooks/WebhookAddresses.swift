package import CloudModel
import NIOCore

/// Decides which addresses a webhook's host may have. Each attempt resolves the host once and connects to a checked
/// address, which prevents DNS rebinding.
package struct WebhookAddresses: Sendable {
    /// The host has a non-public address, such as this machine's or a private network's.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package typealias Lookup = @Sendable (_ host: String) async throws -> [IPAddress]

    private let allowPrivate: Bool
    private let lookup: Lookup

    package init(allowPrivate: Bool, lookup: @escaping Lookup = { try await HostLookup.addresses(of: $0) }) {
        self.allowPrivate = allowPrivate
        self.lookup = lookup
    }

    /// The host's addresses, never empty.
    ///
    /// - Throws: ``Refusal`` when any address is not public, and the errors of the lookup.
    package func permitted(of host: String) async throws -> [IPAddress] {
        let addresses = try await lookup(host)
        if !allowPrivate, let address = addresses.first(where: { !$0.isPublic }) {
            throw Refusal(description: "\(host) leads to \(address.text), which is not on the public internet")
        }
        return addresses
    }
}

extension IPAddress {
    /// The address as text, IPv6 without brackets.
    package var text: String {
        (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress ?? ""
    }
}
