package import CloudModel

/// Apple's notice that something changed about an account ("Processing changes for Sign in with Apple accounts").
///
/// The caller takes each id once.
package struct AppleNotice: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case emailDisabled = "email-disabled"
        case emailEnabled = "email-enabled"
        case consentRevoked = "consent-revoked"
        case accountDeleted = "account-delete"
    }

    private static let newerNames = ["account-deleted": Kind.accountDeleted]
    private static let longestAge = 86_400.0

    package let id: String
    package let kind: Kind
    /// The claim `sub` of the person's tokens.
    package let subject: String

    /// Checks the `payload` of a notice.
    ///
    /// - Parameter clients: the client ids and bundle ids of the provider.
    package init(_ payload: String, clients: [String], keys: JSONWebKeySet, now: Timestamp) throws(TokenFault) {
        let token = try SignedToken(parsing: payload).verified(by: keys, allowing: SignatureAlgorithm.usual)
        let claims = token.claims
        try IssuerRule.exactly(AppleClientSecret.issuer).check(token)
        try AudienceRule(audiences: clients, knownClients: []).check(claims)
        try Self.checkTimes(claims, now: now.seconds)
        guard let id = claims["jti"]?.string, PlainName.isName(id) else { throw .tokenID }
        guard let text = claims["events"]?.string, let event = try? StrictJSON.object(Array(text.utf8)),
            let name = event["type"]?.string, let kind = Kind(rawValue: name) ?? Self.newerNames[name]
        else { throw .event }
        guard let subject = event["sub"]?.string, PlainName.isName(subject) else { throw .subject }
        (self.id, self.kind, self.subject) = (id, kind, subject)
    }

    private static func checkTimes(_ claims: JSONObject, now: Double) throws(TokenFault) {
        guard let issued = claims.seconds("iat") else { throw .issueTime }
        guard issued <= now + IDTokenRules.leeway else { throw .future }
        guard now - issued <= longestAge else { throw .old }
    }
}

/// What Apple's form tells beside the token, at a person's first sign-in only. Unsigned: it comes from the browser.
package struct AppleUser: Hashable, Sendable {
    private static let longest = 4096

    /// First and last name, at most 64 characters.
    package let name: String?

    /// - Parameter text: the form's field `user`.
    package init(_ text: String) {
        guard text.utf8.count <= Self.longest, let object = try? StrictJSON.object(Array(text.utf8)),
            let name = object["name"]?.object
        else {
            self.name = nil
            return
        }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.string }
        self.name = ToldName.cleaned(parts.joined(separator: " "))
    }
}
