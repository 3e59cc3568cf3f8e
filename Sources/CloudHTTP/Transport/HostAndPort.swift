import Foundation

/// A listening address such as `127.0.0.1:9464`.
package struct HostAndPort: Hashable, Sendable {
    package let host: String
    package let port: Int

    /// Nil for malformed text. IPv6 addresses stand in brackets.
    package init?(_ text: String) {
        guard let parts = URLComponents(string: "http://\(text)"), let host = parts.host, !host.isEmpty,
            let port = parts.port, (0...65535).contains(port), parts.path.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
