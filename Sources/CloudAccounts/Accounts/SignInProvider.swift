package import CloudIdentity
package import CloudModel

/// A provider that people sign in at.
package struct SignInProvider: Hashable, Sendable {
    /// 1 to 32 characters of `a-z`, `0-9` and `-`, the first no `-`; the end of the path `/auth/with/NAME`.
    package let name: String
    package let kind: Kind
    /// The text of the button, at most 64 characters.
    package var title: String
    /// What identities are connected under; at Microsoft a text with `{tenantid}`.
    package var issuer: String
    package var clientID: String
    /// Nil for the method that the provider offers.
    package var clientAuthentication: DiscoveryDocument.ClientAuthentication?
    package var scopes: [String]
    /// Whether URLs of the provider may be without TLS.
    package var allowsHTTP = false
    /// Whether a confirmed address of this provider proves its owner.
    package var trustsAddresses = false
    /// Whether the sign-in page leads to the provider without a click.
    package var startsAtOnce = false
    package var admission = SignInAdmission.everybody
    /// The claim with the names of a person's groups.
    package var groupsClaim: String
    /// Roles that groups of people give.
    package var roles: [GroupRole] = []
    /// Client ids and bundle ids of apps whose own identity tokens are accepted.
    package var nativeAudiences: [String] = []
    /// Ids of Microsoft's tenants whose people may come in.
    package var tenants: [String] = []
    /// Apple's team id and key id.
    package var appleKey: AppleKeyName?
    package internal(set) var created = Timestamp(wholeSeconds: 0)
    /// Nil before the provider is stored.
    var sealedSecret: SealedSecret?

    /// A provider with the usual title, scopes and claims of its kind.
    ///
    /// - Parameter issuer: nil for a kind whose issuer is fixed.
    package init(name: String, kind: Kind, clientID: String, issuer: String? = nil) {
        self.name = name
        self.kind = kind
        self.clientID = clientID
        self.issuer = issuer ?? kind.fixedIssuer ?? ""
        title = kind.title
        scopes = kind.usualScopes
        groupsClaim = kind.usualGroupsClaim
    }

    /// Apple's names for the key that signs client secrets.
    package struct AppleKeyName: Hashable, Sendable {
        package let team: String
        package let key: String

        package init(team: String, key: String) { (self.team, self.key) = (team, key) }
    }
}

extension SignInProvider {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case oidc, google, microsoft, apple, github, keycloak, authentik, authelia, dex, zitadel

        /// The issuer of a kind with a single issuer.
        package var fixedIssuer: String? {
            switch self {
            case .google: "https://accounts.google.com"
            case .microsoft: "https://login.microsoftonline.com/\(SignInProvider.tenantPlace)/v2.0"
            case .apple: AppleClientSecret.issuer
            case .github: "https://github.com"
            default: nil
            }
        }

        /// The product's name.
        package var title: String {
            switch self {
            case .oidc: "OpenID Connect"
            case .google: "Google"
            case .microsoft: "Microsoft"
            case .apple: "Apple"
            case .github: "GitHub"
            case .keycloak: "Keycloak"
            case .authentik: "authentik"
            case .authelia: "Authelia"
            case .dex: "Dex"
            case .zitadel: "Zitadel"
            }
        }

        package var usualScopes: [String] {
            switch self {
            case .apple: ["name", "email"]
            case .github: ["read:user", "user:email"]
            case .authelia, .dex: ["openid", "profile", "email", "groups"]
            default: ["openid", "profile", "email"]
            }
        }

        package var usualGroupsClaim: String {
            self == .zitadel ? "urn:zitadel:iam:org:project:roles" : "groups"
        }

        /// True for a provider with discovery and identity tokens.
        package var hasOpenIDConnect: Bool { self != .github }
    }

    static let tenantPlace = "{tenantid}"
    private static let microsoft = "https://login.microsoftonline.com/"

    /// The path that the provider sends people back to.
    package var callbackPath: String { Self.callbackPath(of: name) }

    package static func callbackPath(of name: String) -> String { "/auth/with/\(name)" }

    /// The address of the discovery document; nil for a provider without one.
    package var discoveryAddress: String? {
        guard kind.hasOpenIDConnect else { return nil }
        guard kind == .microsoft else { return DiscoveryDocument.address(of: issuer) }
        let realm = tenants.contains(IssuerRule.personalTenant) ? "common" : "organizations"
        let tenant = tenants.count == 1 ? tenants[0] : realm
        return DiscoveryDocument.address(of: "\(Self.microsoft)\(tenant)/v2.0")
    }

    /// The issuer that the discovery document must name.
    package var discoveryIssuer: String {
        kind == .microsoft && tenants.count == 1 ? issuer.replacing(Self.tenantPlace, with: tenants[0]) : issuer
    }

    /// Who may have issued a token of this provider.
    package var issuerRule: IssuerRule {
        switch kind {
        case .google: .google
        case .microsoft: .microsoft(tenants: tenants)
        default: .exactly(issuer)
        }
    }

    /// What identifies a person at this provider.
    package var subjectRule: SubjectRule { kind == .microsoft ? .tenantAndObject : .subject }
}
