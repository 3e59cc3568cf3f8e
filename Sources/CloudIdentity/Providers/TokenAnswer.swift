import CloudModel

/// A provider's answer to a ``TokenRequest``, judged by its body: providers disagree on the status of errors.
package struct TokenAnswer: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        case size
        /// No JSON object, or a member twice.
        case json
        /// The provider's error, by its name: at most 64 characters of `a-z` and `_`.
        case refused(String)
        /// A token is missing, or is no text.
        case token
        /// The access token is of another type than Bearer.
        case type

        package var reason: String {
            switch self {
            case .size: "the provider's answer is longer than 256 KB"
            case .json: "the provider's answer is not a JSON object with each member once"
            case .refused(let name): "the provider refused the code: \(name)"
            case .token: "the provider's answer has no token"
            case .type: "the provider's access token is not of the type Bearer"
            }
        }
    }

    /// The longest answer, in bytes.
    package static let longest = 256 * 1024

    package let accessToken: String
    /// Nil for a provider without OpenID Connect, such as GitHub.
    package let idToken: String?
    package let refreshToken: String?

    /// - Parameter needsIDToken: false for a provider without OpenID Connect.
    package init(parsing bytes: [UInt8], needsIDToken: Bool = true) throws(Fault) {
        guard bytes.count <= Self.longest else { throw .size }
        guard let object = try? StrictJSON.object(bytes) else { throw .json }
        if let error = object["error"] { throw .refused(AuthorizationAnswer.errorName(error.string ?? "")) }
        guard let accessToken = object["access_token"]?.string, Self.isToken(accessToken) else { throw .token }
        if let type = object["token_type"], type.string?.lowercased() != "bearer" { throw .type }
        idToken = try Self.optional("id_token", object)
        refreshToken = try Self.optional("refresh_token", object)
        guard idToken != nil || !needsIDToken else { throw .token }
        self.accessToken = accessToken
    }

    private static func optional(_ name: String, _ object: JSONObject) throws(Fault) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, isToken(text) else { throw .token }
        return text
    }

    /// Returns true for text that can stand in a header (RFC 6750 §2.1 allows fewer characters).
    private static func isToken(_ text: String) -> Bool {
        (1...SignedToken.longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
