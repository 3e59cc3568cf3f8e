package import CloudModel

/// A JSON Web Token in compact form (RFC 7519, RFC 7515) whose signature is not checked yet.
package struct SignedToken: Sendable {
    /// The longest token, in bytes.
    package static let longest = 16 * 1024

    package let algorithm: SignatureAlgorithm
    /// The name of the key in the provider's set.
    package let keyID: String?
    /// The kind that the header names, such as `JWT` or `logout+jwt`.
    package let type: String?
    /// The claims as they were sent: nobody vouches for them before ``verified(by:allowing:)``.
    let claims: JSONObject
    let signature: [UInt8]
    /// Header and claims as they were sent.
    let signedBytes: [UInt8]

    package init(parsing text: String) throws(TokenFault) {
        guard text.utf8.count <= Self.longest else { throw .size }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { throw .parts }
        guard let head = Base64URL.decode(parts[0]), let body = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .encoding }
        let header = try Self.object(head)
        guard !header.contains("crit") else { throw .critical }
        algorithm = try Self.algorithm(header)
        keyID = try Self.text("kid", of: header)
        type = try Self.text("typ", of: header)
        claims = try Self.object(body)
        self.signature = signature
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ bytes: [UInt8]) throws(TokenFault) -> JSONObject {
        do { return try StrictJSON.object(bytes) } catch {
            switch error {
            case .malformed: throw .json
            case .duplicate: throw .duplicate
            }
        }
    }

    private static func algorithm(_ header: JSONObject) throws(TokenFault) -> SignatureAlgorithm {
        guard let name = try text("alg", of: header) else { throw .algorithm }
        guard let algorithm = SignatureAlgorithm.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
            throw .algorithm
        }
        return algorithm
    }

    private static func text(_ name: String, of header: JSONObject) throws(TokenFault) -> String? {
        guard header.contains(name) else { return nil }
        guard let text = header[name]?.string else { throw .header }
        return text
    }
}

/// The claims of a token whose signature is valid.
package struct VerifiedToken: Sendable {
    package let algorithm: SignatureAlgorithm
    package let type: String?
    package let claims: JSONObject
    /// The key that verified the token.
    let key: JSONWebKey
}

extension SignedToken {
    /// Checks algorithm, key and signature.
    ///
    /// - Parameter allowed: the algorithms that this provider may use.
    package func verified(
        by keys: JSONWebKeySet, allowing allowed: Set<SignatureAlgorithm>
    ) throws(TokenFault) -> VerifiedToken {
        guard allowed.contains(algorithm) else { throw .algorithm }
        let fitting = try keys.keys(id: keyID, for: algorithm)
        guard let key = fitting.first(where: { $0.isValidSignature(signature, for: signedBytes, algorithm) }) else {
            throw .signature
        }
        return VerifiedToken(algorithm: algorithm, type: type, claims: claims, key: key)
    }
}
