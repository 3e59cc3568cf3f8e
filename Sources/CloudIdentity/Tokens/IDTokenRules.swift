package import CloudModel

/// The checks of an ID token (OpenID Connect Core §3.1.3.7, RFC 8725), in their order.
package struct IDTokenRules: Sendable {
    /// The nonce that a token must have.
    package enum Nonce: Sendable {
        case exactly(String)
        /// Our nonce, or its SHA-256 in hex: Apple and Google hand through what an app gives them.
        case rawOrDigest(of: String)
        /// Any or none, for a token that the provider itself answers with to a code.
        case unchecked
    }

    /// Tolerance for clocks that differ, in seconds.
    package static let leeway = 60.0

    package var algorithms: Set<SignatureAlgorithm>
    package var issuer: IssuerRule
    /// Clients for which a token is accepted: the provider's client, or the ids of the app.
    package var audiences: [String]
    /// Further clients of ours that a token may name beside.
    package var knownClients: [String]
    package var nonce: Nonce
    package var subject: SubjectRule
    /// The longest time since the token was issued, in seconds; nil for any.
    package var longestAge: Double?
    /// The longest time since the person signed in at the provider, in seconds, where the request asked with `max_age`.
    package var longestSignIn: Double?

    package init(
        issuer: IssuerRule, audiences: [String], nonce: Nonce,
        algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.usual,
        knownClients: [String] = [], subject: SubjectRule = .subject, longestAge: Double? = 600,
        longestSignIn: Double? = nil
    ) {
        self.algorithms = algorithms
        self.issuer = issuer
        self.audiences = audiences
        self.knownClients = knownClients
        self.nonce = nonce
        self.subject = subject
        self.longestAge = longestAge
        self.longestSignIn = longestSignIn
    }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - accessToken: the access token of the same answer, if it is used.
    ///   - now: the time.
    package func check(
        _ text: String, keys: JSONWebKeySet, accessToken: String? = nil, now: Timestamp
    ) throws(TokenFault) -> IDToken {
        let token = try SignedToken(parsing: text).verified(by: keys, allowing: algorithms)
        try Self.checkKind(token)
        try issuer.check(token)
        try checkAudience(token.claims)
        try checkTimes(token.claims, now: now)
        try checkNonce(token.claims)
        try Self.checkAccessToken(accessToken, token)
        try checkSignIn(token.claims, now: now)
        return IDToken(claims: token.claims, subject: try subject.subject(of: token.claims))
    }

    /// Logout tokens and notices of accounts come from the same issuer for the same client.
    private static func checkKind(_ token: VerifiedToken) throws(TokenFault) {
        guard !(token.type ?? "").lowercased().hasSuffix("+jwt"), !token.claims.contains("events") else { throw .kind }
    }
}

extension IDTokenRules {
    private func checkAudience(_ claims: JSONObject) throws(TokenFault) {
        try AudienceRule(audiences: audiences, knownClients: knownClients).check(claims)
    }

    private func checkTimes(_ claims: JSONObject, now: Timestamp) throws(TokenFault) {
        let now = now.seconds
        guard let expiry = claims.seconds("exp") else { throw .expiry }
        guard now < expiry + Self.leeway else { throw .expired }
        guard let issued = claims.seconds("iat") else { throw .issueTime }
        guard issued <= now + Self.leeway else { throw .future }
        if let longestAge { guard now - issued <= longestAge else { throw .old } }
        guard claims.contains("nbf") else { return }
        guard let start = claims.seconds("nbf"), start <= now + Self.leeway else { throw .notYet }
    }

    private func checkNonce(_ claims: JSONObject) throws(TokenFault) {
        let expected: [String]
        switch nonce {
        case .exactly(let nonce): expected = [nonce]
        case .rawOrDigest(let nonce): expected = [nonce, SignInNonce.digest(of: nonce)]
        case .unchecked: return
        }
        guard let told = claims["nonce"]?.string else { throw .nonceMissing }
        guard expected.contains(where: told.isSecretly) else { throw .nonce }
    }

    private static func checkAccessToken(_ accessToken: String?, _ token: VerifiedToken) throws(TokenFault) {
        guard let accessToken, token.claims.contains("at_hash") else { return }
        let digest = token.algorithm.halfDigest(of: accessToken)
        guard token.claims["at_hash"]?.string?.isExactly(digest) == true else { throw .accessToken }
    }

    private func checkSignIn(_ claims: JSONObject, now: Timestamp) throws(TokenFault) {
        guard let longestSignIn else { return }
        guard let time = claims.seconds("auth_time") else { throw .authenticationTime }
        guard now.seconds - time <= longestSignIn + Self.leeway else { throw .authenticationOld }
    }
}

/// For whom a token must be.
struct AudienceRule {
    let audiences: [String]
    let knownClients: [String]

    func check(_ claims: JSONObject) throws(TokenFault) {
        let named = try Self.named(claims)
        guard named.contains(where: { audiences.containsExactly($0) }) else { throw .audience }
        guard named.allSatisfy(isKnown) else { throw .unknownAudience }
        guard claims.contains("azp") else { return }
        guard let party = claims["azp"]?.string, isKnown(party) else { throw .authorizedParty }
    }

    private func isKnown(_ client: String) -> Bool {
        audiences.containsExactly(client) || knownClients.containsExactly(client)
    }

    private static func named(_ claims: JSONObject) throws(TokenFault) -> [String] {
        switch claims["aud"] {
        case .string(let client): return [client]
        case .array(let clients):
            let names = clients.compactMap(\.string)
            guard names.count == clients.count else { throw .audience }
            return names
        default: throw .audience
        }
    }
}

extension JSONObject {
    /// A moment in seconds since 1970-01-01Z, with or without a fraction.
    func seconds(_ name: String) -> Double? {
        switch self[name] {
        case .integer(let seconds): Double(seconds)
        case .number(let seconds): seconds
        default: nil
        }
    }
}
