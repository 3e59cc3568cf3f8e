import CloudAccounts
package import CloudIdentity

/// Where a provider is asked, by its discovery document or, at GitHub, by its documentation.
package struct ProviderEndpoints: Sendable {
    package let authorization: String
    package let token: String
    /// Nil for a provider without identity tokens.
    package let keys: String?
    package let userInfo: String?
    package let endSession: String?
    package let revocation: String?
    /// Algorithms that identity tokens may have.
    package let algorithms: Set<SignatureAlgorithm>
    /// Nil if the provider offers none that Cumulus has.
    package let clientAuthentication: DiscoveryDocument.ClientAuthentication?
    package let acceptsProofKeys: Bool
    /// True if answers carry `iss` (RFC 9207).
    package let namesIssuer: Bool

    /// - Parameter provider: its method of client authentication comes before the document's.
    init(_ document: DiscoveryDocument, of provider: SignInProvider) {
        authorization = document.authorization
        token = document.token
        keys = document.keys
        userInfo = document.userInfo
        endSession = document.endSession
        revocation = document.revocation
        algorithms = document.algorithms
        clientAuthentication = provider.clientAuthentication ?? document.clientAuthentication
        acceptsProofKeys = document.acceptsProofKeys
        namesIssuer = document.namesIssuer
    }

    private init(gitHub provider: SignInProvider) {
        authorization = "https://github.com/login/oauth/authorize"
        token = "https://github.com/login/oauth/access_token"
        (keys, endSession, revocation) = (nil, nil, nil)
        userInfo = "https://api.github.com/user"
        algorithms = []
        clientAuthentication = provider.clientAuthentication ?? .post
        acceptsProofKeys = true
        namesIssuer = false
    }

    /// The endpoints of a provider without discovery; nil for others.
    static func fixed(of provider: SignInProvider) -> ProviderEndpoints? {
        provider.kind == .github ? ProviderEndpoints(gitHub: provider) : nil
    }
}
