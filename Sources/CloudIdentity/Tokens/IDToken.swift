package import CloudModel

/// What a provider says of a person, after all checks.
package struct IDToken: Sendable {
    package private(set) var claims: JSONObject
    /// The person at this provider, compared by its bytes.
    package let subject: String
    /// The claim `sub` itself, which user information must repeat.
    package let told: String

    init(claims: JSONObject, subject: String) {
        self.claims = claims
        self.subject = subject
        told = claims["sub"]?.string ?? ""
    }

    /// A claim that is true, false or the text of either, as Apple sends; nil for anything else.
    package func flag(_ name: String) -> Bool? {
        switch claims[name] {
        case .bool(let flag): flag
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    /// The address, at most 254 bytes without spaces and control characters; nil for other texts.
    package var email: String? { claims["email"]?.string.flatMap { ToldAddress.isAddress($0) ? $0 : nil } }
    /// True only where the provider says so.
    package var isEmailVerified: Bool { flag("email_verified") ?? false }
    /// True for an address of Apple's relay.
    package var isPrivateEmail: Bool { flag("is_private_email") ?? false }
    /// The client that the token is for; nil if it is for several.
    package var client: String? { claims["aud"]?.string }
    package var name: String? { ToldName.cleaned(claims["name"]?.string) }
    /// The Workspace of a Google account.
    package var hostedDomain: String? { claims["hd"]?.string }
    /// The session at the provider, which a logout token names.
    package var sessionID: String? { claims["sid"]?.string.flatMap { PlainName.isName($0) ? $0 : nil } }

    /// The names in a list of texts, or the keys of an object such as Zitadel's roles.
    package func names(_ claim: String) -> [String] {
        switch claims[claim] {
        case .array(let values): values.compactMap(\.string)
        case .object(let object): object.members.map(\.key)
        case .string(let name): [name]
        default: []
        }
    }

    /// True if Google is the authority for the address (Google, "Verify the ID token on your server").
    package var isGooglesAddress: Bool {
        guard let email = email?.lowercased() else { return false }
        return email.hasSuffix("@gmail.com") || (isEmailVerified && hostedDomain?.isEmpty == false)
    }

    /// Adds the claims that the token lacks from an answer of the userinfo endpoint (OpenID Connect Core §5.3.2).
    package mutating func add(userInfo: JSONObject) throws(TokenFault) {
        guard let subject = userInfo["sub"]?.string, subject.isExactly(told) else { throw .userInfoSubject }
        // A verification of one address says nothing about another.
        let mayVerify = !claims.contains("email") || email?.isExactly(userInfo["email"]?.string) == true
        for member in userInfo.members where !claims.contains(member.key) {
            guard mayVerify || !Self.aboutTheAddress.containsExactly(member.key) else { continue }
            claims.set(member.key, member.value)
        }
    }

    private static let aboutTheAddress = ["email_verified", "is_private_email"]
}
