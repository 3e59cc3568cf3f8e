import CloudAccounts
import CloudIdentity
import CloudModel
import CloudWire

/// Redeems the code of an answer, and checks who it is for.
struct CodeRedemption {
    let provider: SignInProvider
    let connections: ProviderConnections
    let attempt: ProviderAttempt
    /// The redirect URI of the authorization request.
    let redirect: String

    /// - Throws: ``ProviderRefusal``.
    func person(_ code: String) async throws -> ProvenSignIn {
        do {
            let answer = try await connections.redeem(
                code: code, redirect: redirect, proof: attempt.secrets.proof, of: provider)
            guard provider.kind.hasOpenIDConnect else {
                return ProvenSignIn(
                    try await connections.gitHubPerson(of: provider, accessToken: answer.accessToken), at: provider,
                    now: connections.now)
            }
            var proven = ProvenSignIn(try await token(answer), at: provider, now: connections.now)
            proven.refreshToken = answer.refreshToken.map { ProviderSecret($0) }
            proven.person.login?.hint = answer.idToken.flatMap {
                $0.utf8.count <= ProviderLogin.longestHint ? $0 : nil
            }
            return proven
        } catch let fault as TokenFault {
            throw ProviderRefusal(fault.rawValue)
        } catch let fault as ProviderFault {
            throw ProviderRefusal(fault)
        }
    }

    private func token(_ answer: TokenAnswer) async throws -> IDToken {
        guard let text = answer.idToken else { throw ProviderFault.token(.token) }
        let rules = try await connections.rules(of: provider, nonce: .exactly(attempt.secrets.nonce))
        var token = try await connections.check(text, by: rules, accessToken: answer.accessToken, of: provider)
        if lacksClaims(token), try await connections.endpoints(of: provider).userInfo != nil {
            try token.add(userInfo: await connections.userInfo(of: provider, accessToken: answer.accessToken))
        }
        return token
    }

    /// Providers such as Authelia put none but the subject into the token.
    private func lacksClaims(_ token: IDToken) -> Bool {
        let asked = [("email", "email"), ("profile", "name")].filter { provider.scopes.containsExactly($0.0) }
        let needsGroups = provider.admission.kind == .groups || !provider.roles.isEmpty
        return asked.contains { !token.claims.contains($0.1) }
            || (needsGroups && !token.claims.contains(provider.groupsClaim))
    }
}

extension ProvenPerson {
    /// Adds the name that Apple sends once, in a form field that nobody has signed.
    mutating func add(appleUser text: String?) {
        guard givenName == nil, familyName == nil, let text,
            let name = (try? JSONParser.parse(Array(text.utf8)))?.object?["name"]?.object
        else { return }
        givenName = ToldName.cleaned(name["firstName"]?.string)
        familyName = ToldName.cleaned(name["lastName"]?.string)
    }
}
