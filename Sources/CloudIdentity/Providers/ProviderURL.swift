import Foundation

/// A URL of a provider, read alike by all parsers.
package struct ProviderURL: Hashable, Sendable {
    package enum Fault: String, Error, CaseIterable, Sendable {
        case size = "it has more than 2048 characters, or others than printable ASCII"
        case scheme = "it must begin with https:// and a host"
        case insecure = "it begins with http://, which is not allowed for this provider"
        case user = "it must not hold a user name or password"
        case fragment = "it must have no fragment"
        case port = "its port is not from 1 to 65535"
        case host = "its host must be an address, or a name of a-z, 0-9, '.', '-' and '_'"
    }

    /// The longest URL, in bytes.
    package static let longest = 2048

    /// The URL as it was given.
    package let text: String
    /// A name or an address in lower case; an IPv6 address has no brackets.
    package let host: String
    /// Scheme, host and port as in a header `Origin`.
    package let origin: String
    /// True without TLS.
    package let isInsecure: Bool

    /// - Parameter allowsHTTP: whether the operator allows URLs without TLS.
    package init(_ text: String, allowsHTTP: Bool) throws(Fault) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .size
        }
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host?.lowercased(), !host.isEmpty
        else { throw .scheme }
        guard scheme == "https" || allowsHTTP else { throw .insecure }
        guard parts.user == nil, parts.password == nil else { throw .user }
        guard parts.fragment == nil else { throw .fragment }
        guard parts.port.map((1...65535).contains) ?? true else { throw .port }
        guard Self.isPlain(host) else { throw .host }
        self.text = text
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        isInsecure = scheme == "http"
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : $0 }
        origin = "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }

    private static func isPlain(_ host: String) -> Bool {
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let characters = isAddress ? host.dropFirst().dropLast() : host[...]
        let allowed = isAddress ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789.-_"
        return characters.allSatisfy(allowed.contains)
    }
}
