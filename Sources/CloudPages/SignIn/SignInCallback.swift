import CloudAccounts
import Foundation

/// The address that the browser returns to after sign-in, registered with the API token (reference B §3.7).
package struct SignInCallback: Hashable, Sendable {
    package let url: String

    /// - Parameter url: the absolute URL as registered.
    package init(_ url: String) {
        self.url = url
    }

    /// The callback's display name: the host of a web address, or an app's URL scheme.
    package var name: String {
        let parts = URLComponents(string: url)
        return isWeb ? parts?.host ?? url : parts?.scheme.map { "\($0)://" } ?? url
    }

    /// The callback as a content security policy source: an origin, or an app's URL scheme. Nil for a malformed
    /// address.
    var policySource: String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme else { return nil }
        guard isWeb else { return "\(scheme.lowercased()):" }
        let port = parts.port.map { ":\($0)" } ?? ""
        return parts.host.flatMap { WebOrigin("\(scheme)://\($0)\(port)")?.text }
    }

    /// The address with additional query items; its own query and fragment are kept.
    package func adding(_ items: [(name: String, value: String)]) -> String {
        let (rest, fragment) = Self.cut(url, at: "#")
        let query = items.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        let joint = rest.contains("?") ? (rest.hasSuffix("?") || rest.hasSuffix("&") ? "" : "&") : "?"
        // Header values must be ASCII.
        return Self.ascii(rest) + joint + query + Self.ascii(fragment)
    }

    private var isWeb: Bool {
        let lower = url.lowercased()
        return lower.hasPrefix("https://") || lower.hasPrefix("http://")
    }

    private static func cut(_ text: String, at mark: Character) -> (String, String) {
        guard let index = text.firstIndex(of: mark) else { return (text, "") }
        return (String(text[..<index]), String(text[index...]))
    }

    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static func ascii(_ text: String) -> String {
        text.utf8.map { (0x21...0x7E).contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
