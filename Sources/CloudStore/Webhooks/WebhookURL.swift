package import CloudModel
import Foundation

/// The destination of a webhook's messages: an http or https URL that leads a client to the host it names and no other.
package struct WebhookURL: Hashable, Sendable {
    /// The URL, its scheme and host in lower case.
    package let text: String
    /// A name or an address; one of IPv6 without its brackets.
    package let host: String

    /// Characters of a URL.
    package static let longest = 2048

    /// - Throws: `BAD_REQUEST` that says what is wrong with it.
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

    /// A URL as logs and lists of credentials name it: without its path and query, which may be secrets.
    package static func shown(_ text: String) -> String {
        guard let parts = URLComponents(string: text), let host = parts.host else { return "…" }
        let origin = "\(parts.scheme ?? "https")://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        return parts.path.count > 1 || parts.query != nil ? origin + "/…" : origin
    }

    /// Returns true if every parser reads the same host: nothing to escape, no other alphabets, no zones of addresses.
    private static func isPlain(_ host: String) -> Bool {
        let name = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789.-_")
        let address = CharacterSet(charactersIn: "0123456789abcdef:.")
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let characters = isAddress ? host.dropFirst().dropLast() : host[...]
        return characters.unicodeScalars.allSatisfy((isAddress ? address : name).contains)
    }
}
