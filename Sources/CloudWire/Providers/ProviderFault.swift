package import CloudIdentity

/// The reason why a provider could not be asked, or why its answer is of no use. Holds no secret and no text of an answer.
package enum ProviderFault: Error, Hashable, Sendable {
    case url(ProviderURL.Fault)
    /// The host is unknown, or leads to an address that the provider may not name.
    case host(String)
    case connection(String)
    /// No whole answer within the time, in seconds.
    case late(Int)
    case size
    case redirect
    case status(Int)
    case discovery(DiscoveryDocument.Fault)
    case keys(JSONWebKeySet.Fault)
    /// No keys could be fetched within the last minute.
    case noKeys
    case token(TokenAnswer.Fault)
    case person(GitHubPerson.Fault)
    case userInfo
    /// The provider has no such endpoint.
    case endpoint(Endpoint)
    /// The provider offers none of the ways in which Cumulus can prove to be the client.
    case clientAuthentication
    /// The client secret cannot be opened.
    case secret
    /// Too many fetches wait for the provider.
    case busy

    package enum Endpoint: String, CaseIterable, Sendable {
        case discovery = "discovery document"
        case keys = "keys"
        case userInfo = "userinfo endpoint"
        case revocation = "revocation endpoint"
    }

    /// A clause for operators.
    package var reason: String {
        switch self {
        case .url(let fault): "the URL cannot be used: \(fault.rawValue)"
        case .host(let text), .connection(let text): text
        case .late(let seconds): "the provider did not answer within \(seconds) s"
        case .size: "the provider's answer is longer than 256 KB"
        case .redirect: "the provider redirects, which is not followed"
        case .status(let status): "the provider answered with status \(status)"
        case .discovery(let fault): fault.reason
        case .keys(let fault): fault.rawValue
        case .noKeys: "the provider's keys cannot be fetched at the moment"
        case .token(let fault): fault.reason
        case .person(let fault): fault.rawValue
        case .userInfo: "the provider's user information is not a JSON object with each member once"
        case .endpoint(let endpoint): "the provider has no \(endpoint.rawValue)"
        case .clientAuthentication:
            "the provider offers neither client_secret_basic nor client_secret_post; name the method that it accepts"
        case .secret: "the client secret cannot be opened; give it again with 'cumulus provider update'"
        case .busy: "too many requests wait for the provider"
        }
    }
}
