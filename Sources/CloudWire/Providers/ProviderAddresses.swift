import CloudModel

/// Decides which addresses the hosts of a provider may have. The issuer's host was named by an operator, and may be in a
/// private network. A host that the provider names must be on the public internet, unless the issuer itself is not.
package struct ProviderAddresses: Sendable {
    private let lookup: WebhookAddresses.Lookup

    package init(lookup: @escaping WebhookAddresses.Lookup = { try await HostLookup.addresses(of: $0) }) {
        self.lookup = lookup
    }

    /// The address to connect to.
    ///
    /// - Parameter issuer: nil for a host that is trusted like the issuer's.
    func address(of host: String, issuer: String?) async throws(ProviderFault) -> IPAddress {
        let addresses = try await addresses(of: host)
        guard let first = addresses.first else { throw .host("\(host) has no address") }
        guard let issuer, issuer != host, let inside = addresses.first(where: { !$0.isPublic }) else { return first }
        guard try await self.addresses(of: issuer).contains(where: { !$0.isPublic }) else {
            throw .host("\(host) leads to \(inside.text), which is not on the public internet as the issuer is")
        }
        return first
    }

    private func addresses(of host: String) async throws(ProviderFault) -> [IPAddress] {
        do { return try await lookup(host) } catch let failure as HostLookup.Failure {
            throw .host(failure.description)
        } catch {
            throw .host("the address of \(host) could not be looked up")
        }
    }
}
