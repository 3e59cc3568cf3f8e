import CloudModel
import Foundation

/// The origin of a web page: scheme, host and port, in the form browsers send.
package struct WebOrigin: Hashable, Sendable {
    package let text: String
    /// In lower case; an IPv6 address keeps its brackets.
    package let host: String

    /// Parses an `Origin` header or a setting; nil for anything but `scheme://host[:port]`.
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
        guard let fault = origin.fault else {
            self = origin
            return
        }
        throw .badRequest("allowed origin '\(text)' matches no page: \(known: fault)")
    }

    /// The reason why no browser sends this origin; nil for a valid origin.
    private var fault: String? {
        if host.contains("*") { return "there are no wildcards; name each origin, or none to allow all" }
        let parts = URLComponents(string: text)
        if let port = parts?.port, !(1...65_535).contains(port) { return "its port must be from 1 to 65535" }
        if host.hasPrefix("[") { return nil }
        // A browser sends 'xn--…' where ``host`` has the decoded letters.
        let sent = parts?.encodedHost?.lowercased() ?? host
        let isPlain = sent.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.".utf8.contains(byte)
        }
        guard isPlain else { return "no host has such a name" }
        let labels = sent.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.dropLast().allSatisfy({ !$0.isEmpty }), labels != [""] else { return "its host has an empty part" }
        return nil
    }

    /// Whether the host always means the browser's own machine.
    package var isLocal: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || ["0.0.0.0", "[::]", "[::1]"].contains(host)
    }
}
