package import CloudModel

/// The checks of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6), in their order.
///
/// The caller refuses a token id that it has seen.
package struct LogoutTokenRules: Sendable {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    private static let longestAge = 120.0

    package var algorithms: Set<SignatureAlgorithm>
    package var issuer: IssuerRule
    package var audiences: [String]

    package init(
        issuer: IssuerRule, audiences: [String], algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.usual
    ) {
        self.issuer = issuer
        self.audiences = audiences
        self.algorithms = algorithms
    }

    package func check(_ text: String, keys: JSONWebKeySet, now: Timestamp) throws(TokenFault) -> LogoutToken {
        let token = try SignedToken(parsing: text).verified(by: keys, allowing: algorithms)
        let claims = token.claims
        if let type = token.type?.lowercased(), !["logout+jwt", "jwt"].contains(type) { throw .kind }
        guard !claims.contains("nonce") else { throw .kind }
        try issuer.check(token)
        try AudienceRule(audiences: audiences, knownClients: []).check(claims)
        try Self.checkTimes(claims, now: now.seconds)
        guard let id = claims["jti"]?.string, PlainName.isName(id) else { throw .tokenID }
        guard claims["events"]?.object?[Self.event]?.object != nil else { throw .event }
        let (subject, session) = (claims["sub"]?.string, claims["sid"]?.string)
        guard subject != nil || session != nil else { throw .session }
        guard PlainName.isName(subject ?? "-") else { throw .subject }
        guard PlainName.isName(session ?? "-") else { throw .session }
        return LogoutToken(id: id, subject: subject, sessionID: session)
    }

    private static func checkTimes(_ claims: JSONObject, now: Double) throws(TokenFault) {
        if claims.contains("exp") {
            guard let expiry = claims.seconds("exp") else { throw .expiry }
            guard now < expiry + IDTokenRules.leeway else { throw .expired }
        }
        guard let issued = claims.seconds("iat") else { throw .issueTime }
        guard issued <= now + IDTokenRules.leeway else { throw .future }
        guard now - issued <= longestAge else { throw .old }
    }
}

/// A provider's word that a person signed out there.
package struct LogoutToken: Hashable, Sendable {
    /// Accepted once.
    package let id: String
    /// The claim `sub`.
    package let subject: String?
    /// The session that ended; nil for all sessions of the subject.
    package let sessionID: String?
}
