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

    /// The person, and the verdict of the provider's rule on them.
    struct Outcome {
        var person: ProvenPerson
        let verdict: SignInAdmission.Verdict
        /// The roles of the person's groups.
        let roles: Set<GroupRole.Role>
    }

    /// - Throws: ``ProviderRefusal``.
    func person(_ code: String) async throws -> Outcome {
        do {
            let answer = try await connections.redeem(
                code: code, redirect: redirect, proof: attempt.secrets.proof, of: provider)
            guard provider.kind.hasOpenIDConnect else {
                return outcome(try await connections.gitHubPerson(of: provider, accessToken: answer.accessToken))
            }
            var found = outcome(try await token(answer))
            found.person.login?.hint = answer.idToken.flatMap { $0.utf8.count <= ProviderLogin.longestHint ? $0 : nil }
            return found
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

    private func login(_ subject: String, session: String?) -> ProviderLogin {
        ProviderLogin(
            provider: provider.name, issuer: provider.issuer, subject: subject, session: session, time: connections.now)
    }

    private func outcome(_ token: IDToken) -> Outcome {
        var person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: token.subject)
        person.login = login(token.told, session: token.sessionID)
        person.email = token.email
        person.isAddressProven = isProven(token)
        person.isRelayAddress = token.isPrivateEmail
        person.givenName = ToldName.cleaned(token.claims["given_name"]?.string)
        person.familyName = ToldName.cleaned(token.claims["family_name"]?.string)
        if person.givenName == nil, person.familyName == nil { person.givenName = token.name }
        let vouched = token.isEmailVerified || person.isAddressProven ? token.email : nil
        let groups = token.names(provider.groupsClaim)
        return Outcome(
            person: person, verdict: provider.admission.verdict(address: vouched, groups: groups),
            roles: provider.roles(of: groups))
    }

    private func outcome(_ found: GitHubPerson) -> Outcome {
        var person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: found.subject)
        person.login = login(found.subject, session: nil)
        person.email = found.email
        person.isAddressProven = found.email != nil && provider.trustsAddresses
        person.givenName = found.name
        return Outcome(
            person: person, verdict: provider.admission.verdict(address: found.email, groups: []), roles: [])
    }

    /// True if the provider is the authority for the address, not only if it calls it verified.
    private func isProven(_ token: IDToken) -> Bool {
        guard token.email != nil else { return false }
        switch provider.kind {
        case .google: return token.isGooglesAddress
        case .apple: return token.isEmailVerified
        case .microsoft: return false
        default: return provider.trustsAddresses
        }
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
