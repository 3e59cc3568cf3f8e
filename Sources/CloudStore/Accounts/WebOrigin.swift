import CloudModel
import Foundation

/// The origin of a web page: scheme, host and port, written as browsers write it.
package struct WebOrigin: Hashable, Sendable {
    package let text: String
    /// In lower case; an IPv6 address has its brackets.
    package let host: String

    /// Takes an `Origin` header or a setting; nil for anything but `scheme://host[:port]`.
    package init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.path.isEmpty || parts.path == "/",
            parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
        else { return nil }
        let usual = ["http": 80, "https": 443][scheme]
        let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        self.text = "\(scheme)://\(self.host)\(port)"
    }

    init(checking text: String) throws(ServerError) {
        guard let origin = WebOrigin(text) else {
            throw .badRequest("allowed origin '\(text)' is not of the form https://host or https://host:port")
        }
        self = origin
    }

    /// Whether it leads to the machine itself, wherever it is opened.
    package var isLocal: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || ["0.0.0.0", "[::]", "[::1]"].contains(host)
    }
}
