import CloudModel

/// A provider's configuration (OpenID Connect Discovery 1.0 §3, §4).
package struct DiscoveryDocument: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        case size
        case json
        case duplicate
        /// It names another issuer than the configured one.
        case issuer
        /// A member is missing or is no URL that may be used.
        case url(Member)
        /// A list is no list of texts.
        case list(Member)
        /// The provider has no code flow.
        case codeFlow

        package enum Member: String, CaseIterable, Sendable {
            case authorization = "authorization_endpoint"
            case token = "token_endpoint"
            case keys = "jwks_uri"
            case userInfo = "userinfo_endpoint"
            case endSession = "end_session_endpoint"
            case revocation = "revocation_endpoint"
            case algorithms = "id_token_signing_alg_values_supported"
            case responseTypes = "response_types_supported"
            case clientAuthentication = "token_endpoint_auth_methods_supported"
            case challengeMethods = "code_challenge_methods_supported"
        }

        package var reason: String {
            switch self {
            case .size: "the discovery document is longer than 256 KB"
            case .json: "the discovery document is not a JSON object"
            case .duplicate: "the discovery document names a member twice"
            case .issuer: "the discovery document names another issuer than the configured one"
            case .url(let member): "\(member.rawValue) of the discovery document is missing or no https URL"
            case .list(let member): "\(member.rawValue) of the discovery document is not a list of texts"
            case .codeFlow: "the provider does not offer the code flow"
            }
        }
    }

    /// How Cumulus proves to be the client at the token endpoint.
    package enum ClientAuthentication: String, CaseIterable, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// The longest document, in bytes.
    package static let longest = 256 * 1024

    package let authorization: String
    package let token: String
    package let keys: String
    package let userInfo: String?
    package let endSession: String?
    package let revocation: String?
    package let algorithms: Set<SignatureAlgorithm>
    /// The first of ours that the provider offers; nil if it offers others only.
    package let clientAuthentication: ClientAuthentication?
    /// False if the provider lists methods without S256.
    package let acceptsProofKeys: Bool
    /// True if answers carry `iss` (RFC 9207).
    package let namesIssuer: Bool
}

extension DiscoveryDocument {
    /// The address of an issuer's document.
    package static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// - Parameters:
    ///   - issuer: the configured issuer; at Microsoft the text with `{tenantid}` for several tenants.
    ///   - allowsHTTP: whether the operator allows URLs without TLS.
    package init(parsing bytes: [UInt8], issuer: String, allowsHTTP: Bool = false) throws(Fault) {
        guard bytes.count <= Self.longest else { throw .size }
        let reader = Reader(object: try Self.object(bytes), allowsHTTP: allowsHTTP)
        guard reader.object["issuer"]?.string?.isExactly(issuer) == true else { throw .issuer }
        authorization = try reader.url(.authorization)
        token = try reader.url(.token)
        keys = try reader.url(.keys)
        userInfo = try reader.optionalURL(.userInfo)
        endSession = try reader.optionalURL(.endSession)
        revocation = try reader.optionalURL(.revocation)
        if let types = try reader.list(.responseTypes), !types.contains("code") { throw .codeFlow }
        let named = try reader.list(.algorithms) ?? []
        algorithms = SignatureAlgorithm.usual.union(named.compactMap(SignatureAlgorithm.init(rawValue:)))
        let methods = try reader.list(.clientAuthentication) ?? [ClientAuthentication.basic.rawValue]
        clientAuthentication = ClientAuthentication.allCases.first { methods.contains($0.rawValue) }
        acceptsProofKeys = try reader.list(.challengeMethods)?.contains(ProofKey.method) ?? true
        namesIssuer = reader.object["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    private static func object(_ bytes: [UInt8]) throws(Fault) -> JSONObject {
        do { return try StrictJSON.object(bytes) } catch {
            switch error {
            case .malformed: throw .json
            case .duplicate: throw .duplicate
            }
        }
    }
}

private struct Reader {
    typealias Fault = DiscoveryDocument.Fault

    let object: JSONObject
    let allowsHTTP: Bool

    func url(_ member: Fault.Member) throws(Fault) -> String {
        guard let url = try optionalURL(member) else { throw .url(member) }
        return url
    }

    func optionalURL(_ member: Fault.Member) throws(Fault) -> String? {
        guard object.contains(member.rawValue), object[member.rawValue] != nil else { return nil }
        guard let text = object[member.rawValue]?.string, isUsable(text) else { throw .url(member) }
        return text
    }

    func list(_ member: Fault.Member) throws(Fault) -> [String]? {
        guard let value = object[member.rawValue] else { return nil }
        guard let list = value.array, list.allSatisfy({ $0.string != nil }) else { throw .list(member) }
        return list.compactMap(\.string)
    }

    private func isUsable(_ text: String) -> Bool { (try? ProviderURL(text, allowsHTTP: allowsHTTP)) != nil }
}
