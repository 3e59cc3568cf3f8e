import CloudModel

/// The secrets of one sign-in at a provider, by the code flow.
package struct SignInAttempt: Hashable, Sendable {
    /// Comes back with the code.
    package let state: String
    /// Comes back in the ID token.
    package let nonce: String
    package let proof: ProofKey

    package init() { (state, nonce, proof) = (SignInNonce.make(), SignInNonce.make(), ProofKey()) }

    /// An attempt that was kept.
    package init(state: String, nonce: String, proof: ProofKey) {
        (self.state, self.nonce, self.proof) = (state, nonce, proof)
    }

    /// The parameters of the authorization request (OpenID Connect Core §3.1.2.1, RFC 7636 §4.3).
    package func parameters(
        client: String, redirect: String, scopes: [String]
    ) -> KeyValuePairs<String, String> {
        [
            "response_type": "code", "client_id": client, "redirect_uri": redirect,
            "scope": scopes.joined(separator: " "), "state": state, "nonce": nonce, "code_challenge": proof.challenge,
            "code_challenge_method": ProofKey.method,
        ]
    }
}

/// A provider's answer to an authorization request.
package enum AuthorizationAnswer: Hashable, Sendable {
    package enum Fault: String, Error, CaseIterable, Sendable {
        case state = "the answer is not to a sign-in that this browser began"
        case issuer = "the answer is from another provider"
        case issuerMissing = "the answer does not name its provider, which says that it does"
        case repeated = "a parameter of the answer is named twice"
        case code = "the answer has neither a code nor an error"
    }

    case code(String)
    /// The person refused.
    case cancelled
    /// Another error, by the name that RFC 6749 §4.1.2.1 or the provider gives it; at most 64 characters of `a-z` and `_`.
    case refused(String)

    private static let cancellations = ["access_denied", "user_cancelled_authorize"]
    private static let longestCode = 4096

    /// Reads the parameters of the redirect, or of Apple's form.
    ///
    /// - Parameters:
    ///   - issuer: the provider's issuer.
    ///   - namesIssuer: whether the provider promises to name itself (RFC 9207).
    package init(
        _ parameters: [(name: String, value: String)], to attempt: SignInAttempt, issuer: String, namesIssuer: Bool
    ) throws(Fault) {
        var values: [String: String] = [:]
        for (name, value) in parameters where ["state", "iss", "code", "error"].contains(name) {
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated }
        }
        guard let state = values["state"], state.isSecretly(attempt.state) else { throw .state }
        if let named = values["iss"] {
            guard named.isExactly(issuer) else { throw .issuer }
        } else if namesIssuer {
            throw .issuerMissing
        }
        if let error = values["error"] {
            self = Self.cancellations.contains(error) ? .cancelled : .refused(Self.errorName(error))
        } else if let code = values["code"], (1...Self.longestCode).contains(code.utf8.count) {
            self = .code(code)
        } else {
            throw .code
        }
    }

    /// The letters of an error's name that may be shown and logged.
    static func errorName(_ error: String) -> String {
        let letters = error.utf8.prefix(64).filter { (0x61...0x7a).contains($0) || $0 == 0x5f }
        return String(decoding: letters, as: UTF8.self)
    }
}
