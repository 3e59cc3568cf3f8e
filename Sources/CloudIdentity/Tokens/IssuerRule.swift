import CloudModel

/// Who may have issued a token.
package enum IssuerRule: Sendable {
    /// One issuer, byte for byte.
    case exactly(String)
    /// An issuer with several spellings, as Google's.
    case anyOf([String])
    /// Microsoft's issuers for several tenants: a text with `{tenantid}`, and the ids of the tenants that may come in.
    case tenants(template: String, allowed: [String])

    package static let google = IssuerRule.anyOf(["https://accounts.google.com", "accounts.google.com"])

    /// The tenant of Microsoft's personal accounts.
    package static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    static let place = "{tenantid}"

    /// Microsoft's issuers under `common`, `organizations` or `consumers`.
    package static func microsoft(tenants: [String]) -> IssuerRule {
        .tenants(template: "https://login.microsoftonline.com/\(place)/v2.0", allowed: tenants)
    }

    func check(_ token: VerifiedToken) throws(TokenFault) {
        guard let issuer = token.claims["iss"]?.string else { throw .issuer }
        switch self {
        case .exactly(let expected): guard issuer.isExactly(expected) else { throw .issuer }
        case .anyOf(let expected): guard expected.containsExactly(issuer) else { throw .issuer }
        case .tenants(let template, let allowed):
            guard let tenant = token.claims["tid"]?.string, allowed.containsExactly(tenant) else { throw .tenant }
            guard issuer.isExactly(template.replacing(Self.place, with: tenant)) else { throw .issuer }
        }
        try Self.checkKey(token, issuer)
    }

    /// Microsoft publishes the keys of all tenants in one set, and names in each the issuer that may use it.
    private static func checkKey(_ token: VerifiedToken, _ issuer: String) throws(TokenFault) {
        guard let owner = token.key.issuer else { return }
        let tenant = token.claims["tid"]?.string ?? ""
        guard issuer.isExactly(owner.replacing(place, with: tenant)) else { throw .keyIssuer }
    }
}

/// What identifies a person at a provider.
package enum SubjectRule: Sendable {
    /// The claim `sub`.
    case subject
    /// Microsoft's tenant and object id: `sub` differs for each app there.
    case tenantAndObject

    func subject(of claims: JSONObject) throws(TokenFault) -> String {
        guard let subject = claims["sub"]?.string, PlainName.isName(subject) else { throw .subject }
        guard self == .tenantAndObject else { return subject }
        guard let tenant = claims["tid"]?.string, let object = claims["oid"]?.string, Self.isID(tenant),
            Self.isID(object)
        else { throw .object }
        return "\(tenant)/\(object)"
    }

    /// Returns true for a UUID: no other text can be read as a tenant and an object apart.
    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(UnicodeScalar($0)).isHexDigit }
    }
}
