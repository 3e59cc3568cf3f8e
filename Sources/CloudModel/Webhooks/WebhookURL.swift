import Foundation

/// The destination of a webhook's messages: an http or https URL whose host all parsers read alike.
package struct WebhookURL: Hashable, Sendable {
    /// The URL, with scheme and host in lower case.
    package let text: String
    /// A name or an address; an IPv6 address has no brackets.
    package let host: String

    /// The largest size of a URL, in bytes.
    package static let longest = 2048

    /// - Throws: `BAD_REQUEST` with the reason for an invalid URL.
    package init(checking text: String) throws(ServerError) {
        func refusal(_ reason: Reason) -> ServerError { .badRequest("webhook URL: \(reason)") }
        guard text.utf8.count <= Self.longest else { throw refusal("it has more than \(Self.longest) characters") }
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw refusal("it must begin with http:// or https:// and a host") }
        guard parts.user == nil, parts.password == nil else {
            throw refusal("it must not hold a user name or password; check the signature of messages instead")
        }
        guard parts.fragment == nil else { throw refusal("it must have no fragment") }
        guard parts.port.map((1...65535).contains) ?? true else { throw refusal("its port is not from 1 to 65535") }
        guard Self.isPlain(host) else {
            throw refusal("its host '\(host)' must be an address, or a name of a-z, 0-9, '.', '-' and '_'")
        }
        parts.scheme = scheme
        parts.host = host
        guard let whole = parts.string, URL(string: whole)?.host?.lowercased() == URL(string: whole)?.host else {
            throw refusal("it is malformed")
        }
        self.text = whole
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The URL for logs and lists of credentials: without path and query, which may be secret.
    package static func shown(_ text: String) -> String {
        guard let parts = URLComponents(string: text), let host = parts.host else { return "…" }
        let origin = "\(parts.scheme ?? "https")://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        return parts.path.count > 1 || parts.query != nil ? origin + "/…" : origin
    }

    /// Returns true if all parsers read the same host: no escapes, no other alphabets, no IPv6 zones.
    private static func isPlain(_ host: String) -> Bool {
        let name = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789.-_")
        let address = CharacterSet(charactersIn: "0123456789abcdef:.")
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let characters = isAddress ? host.dropFirst().dropLast() : host[...]
        return characters.unicodeScalars.allSatisfy((isAddress ? address : name).contains)
    }
}
