import CloudModel
import Foundation

/// Rules for URLs to which a browser may be sent after sign-in (reference B §3.1, RFC 8252 §7 and §8).
enum CallbackRules {
    /// Schemes that run code or read files.
    private static let forbidden: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "ftp", "javascript", "vbscript", "view-source", "ws", "wss",
    ]

    /// - Throws: `BAD_REQUEST` for a relative or malformed URL, for control characters, spaces or a user name, and in
    ///   production for plain http to a host other than the loopback.
    static func check(_ callback: String, for environment: ContainerEnvironment) throws(ServerError) {
        guard callback.unicodeScalars.allSatisfy(isPlain) else {
            throw .badRequest("a sign-in callback must not contain spaces, backslashes or control characters")
        }
        let parts = URLComponents(string: callback)
        guard parts?.user == nil, parts?.password == nil else {
            throw .badRequest("a sign-in callback must not contain a user name or a password")
        }
        guard let parts, let scheme = parts.scheme?.lowercased(), isScheme(scheme), !forbidden.contains(scheme),
            callback.contains("://")
        else {
            throw .badRequest("sign-in callback '\(callback)' is not an absolute URL such as https://host/path")
        }
        guard scheme == "http" || scheme == "https" else { return }
        guard let host = parts.host?.lowercased(), !host.isEmpty else {
            throw .badRequest("sign-in callback '\(callback)' names no host")
        }
        if scheme == "http", environment == .production, !isLoopback(host) {
            throw .badRequest(
                "sign-in callback '\(callback)' must begin with https:// in production; plain http is for 127.0.0.1, "
                    + "[::1] and localhost, on any port, and apps may use a scheme of their own")
        }
    }

    private static func isScheme(_ text: String) -> Bool {
        text.wholeMatch(of: #/[a-z][a-z0-9+.\-]*/#) != nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: scalar != "\\"
        }
    }
}
