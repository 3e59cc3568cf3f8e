package import CloudAccounts
package import CloudIdentity
package import CloudModel
import NIOHTTP1

/// Tokens and people, from a provider.
extension ProviderConnections {
    /// Redeems a code, as the client that the provider's entry names.
    ///
    /// - Parameters:
    ///   - redirect: the redirect URI of the authorization request; nil for a code that a native app got.
    ///   - client: the bundle id of the app for Apple's native codes; nil for the provider's client.
    package func redeem(
        code: String, redirect: String?, proof: ProofKey?, client: String? = nil, of provider: SignInProvider
    ) async throws(ProviderFault) -> TokenAnswer {
        let client = client ?? provider.clientID
        let endpoints = try await endpoints(of: provider)
        guard let authentication = endpoints.clientAuthentication else { throw .clientAuthentication }
        let request = TokenRequest(
            code: code, redirect: redirect, proof: endpoints.acceptsProofKeys ? proof : nil, client: client,
            secret: try await clientSecret(of: provider, client: client), authentication: authentication)
        return try await redeem(request, of: provider)
    }

    /// Sends a token request. The answer is judged by its body, whatever its status is.
    package func redeem(_ request: TokenRequest, of provider: SignInProvider) async throws(ProviderFault) -> TokenAnswer
    {
        let answer = try await tokenAnswer(to: request, of: provider)
        do { return try TokenAnswer(parsing: answer.body, needsIDToken: provider.kind.hasOpenIDConnect) } catch {
            if error == .json, answer.status != 200 { throw .status(answer.status) }
            throw .token(error)
        }
    }

    /// The answer of the token endpoint as it is.
    func tokenAnswer(
        to request: TokenRequest, of provider: SignInProvider
    ) async throws(ProviderFault) -> ProviderResponse {
        var headers: HTTPHeaders = ["accept": "application/json"]
        if let authorization = request.authorization { headers.add(name: "authorization", value: authorization) }
        let address = try await endpoints(of: provider).token
        return try await post(request.body, to: address, of: provider, headers: headers)
    }

    /// The secret for a token request; at Apple a token that the `.p8` key signs.
    func clientSecret(of provider: SignInProvider, client: String) async throws(ProviderFault) -> String {
        let secret = try await secret(of: provider).text
        guard provider.kind == .apple, let name = provider.appleKey else { return secret }
        do {
            return try AppleClientSecret(team: name.team, keyID: name.key, key: secret).make(client: client, now: now)
        } catch { throw .secret }
    }

    /// The rules for identity tokens that the provider gives to its own client.
    package func rules(
        of provider: SignInProvider, nonce: IDTokenRules.Nonce
    ) async throws(ProviderFault) -> IDTokenRules {
        IDTokenRules(
            issuer: provider.issuerRule, audiences: [provider.clientID], nonce: nonce,
            algorithms: try await endpoints(of: provider).algorithms, knownClients: provider.nativeAudiences,
            subject: provider.subjectRule)
    }

    /// Checks an identity token; an unknown key has the keys fetched again.
    ///
    /// - Parameter accessToken: the access token of the same answer, if it is used.
    /// - Throws: ``ProviderFault``, or `TokenFault` for a token that breaks a rule.
    package func check(
        _ idToken: String, by rules: IDTokenRules, accessToken: String? = nil, of provider: SignInProvider
    ) async throws -> IDToken {
        try await checking(of: provider) { [now] keys in
            try rules.check(idToken, keys: keys, accessToken: accessToken, now: now)
        }
    }

    /// Checks by the provider's keys, which an unknown key has fetched again.
    ///
    /// The first answer may be that of a fetch that ran already, and began before the provider published the key.
    /// - Throws: ``ProviderFault``, and what `check` throws.
    func checking<Checked: Sendable>(
        of provider: SignInProvider, _ check: @Sendable (JSONWebKeySet) throws -> Checked
    ) async throws -> Checked {
        var keys = try await keys(of: provider)
        for _ in 0..<2 {
            do { return try check(keys) } catch let fault as TokenFault where fault.mayNeedNewKeys {
                keys = try await self.keys(of: provider, isKeyUnknown: true)
            }
        }
        return try check(keys)
    }

    /// Checks a logout token; an unknown key has the keys fetched again.
    ///
    /// - Throws: ``ProviderFault``, or `TokenFault` for a token that breaks a rule.
    package func check(logout text: String, of provider: SignInProvider) async throws -> LogoutToken {
        let rules = LogoutTokenRules(
            issuer: provider.issuerRule, audiences: [provider.clientID],
            algorithms: try await endpoints(of: provider).algorithms)
        return try await checking(of: provider) { [now] keys in try rules.check(text, keys: keys, now: now) }
    }

    /// The answer of the userinfo endpoint (OpenID Connect Core §5.3); the caller compares its `sub`.
    package func userInfo(of provider: SignInProvider, accessToken: String) async throws(ProviderFault) -> JSONObject {
        guard let address = try await endpoints(of: provider).userInfo else { throw .endpoint(.userInfo) }
        let answer = try await get(address, of: provider, headers: ["authorization": "Bearer \(accessToken)"])
        guard answer.status == 200 else { throw .status(answer.status) }
        do { return try StrictJSON.object(answer.body) } catch { throw .userInfo }
    }

    /// The person at GitHub. The address is left out without the scope `user:email`.
    package func gitHubPerson(
        of provider: SignInProvider, accessToken: String
    ) async throws(ProviderFault) -> GitHubPerson {
        let headers: HTTPHeaders = [
            "accept": "application/vnd.github+json", "authorization": "Bearer \(accessToken)",
            "x-github-api-version": "2022-11-28",
        ]
        let user = try await get("https://api.github.com/user", of: provider, headers: headers)
        guard user.status == 200 else { throw .status(user.status) }
        var emails: [UInt8]?
        if provider.scopes.contains("user:email") {
            let answer = try await get("https://api.github.com/user/emails", of: provider, headers: headers)
            guard answer.status == 200 else { throw .status(answer.status) }
            emails = answer.body
        }
        do { return try GitHubPerson(user: user.body, emails: emails) } catch { throw .person(error) }
    }
}
