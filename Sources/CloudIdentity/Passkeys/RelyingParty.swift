import CloudCrypto
import CloudModel

/// The site that passkeys are for (WebAuthn §5.1.2).
package struct RelyingParty: Hashable, Sendable {
    package enum Fault: String, Error, CaseIterable, Sendable {
        case address = "passkeys need a domain name, not an IP address"
        case id = "the relying-party id is not a domain name in small letters, or is a top-level domain"
        case origin = "the origin is not https://host or http://localhost, with or without a port"
        case foreign = "the relying-party id is neither the host of the origin nor a parent domain of it"
    }

    /// The host of the public origin, or a parent domain of it.
    package let id: String
    /// Origins whose answers are accepted, compared by their bytes.
    package let origins: [String]

    /// - Parameters:
    ///   - id: nil for the host of the origin.
    ///   - origin: the public origin, as browsers spell it.
    ///   - relatedOrigins: further origins that the operator names, such as those of apps.
    package init(id: String? = nil, origin: String, relatedOrigins: [String] = []) throws(Fault) {
        let host = try Self.host(of: origin)
        let id = id ?? host
        guard !Self.isAddress(id), !Self.isAddress(host) else { throw .address }
        guard Self.isDomain(id) else { throw .id }
        guard host == id || host.hasSuffix("." + id) else { throw .foreign }
        self.id = id
        origins = [origin] + relatedOrigins
    }

    var digest: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }

    /// Reads an origin as browsers spell it: no path, no default port, no capitals.
    private static func host(of origin: String) throws(Fault) -> String {
        let isSecure = origin.hasPrefix("https://")
        guard isSecure || origin.hasPrefix("http://") else { throw .origin }
        var host = origin.dropFirst(isSecure ? 8 : 7)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            let digits = host[host.index(after: colon)...]
            guard let port = UInt16(digits), "\(port)" == digits, port != (isSecure ? 443 : 80) else { throw .origin }
            host = host[..<colon]
        }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard isSecure || isLocal, isAddress(String(host)) || isDomain(String(host)) else { throw .origin }
        return String(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        // A host whose last label is a number is an IPv4 address (WHATWG URL §3.5).
        host.contains(":") || host.hasPrefix("[")
            || (host.split(separator: ".").last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false)
    }

    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
        }
        return areLabels && text.utf8.count <= 253 && (labels.count > 1 || text == "localhost")
    }
}
