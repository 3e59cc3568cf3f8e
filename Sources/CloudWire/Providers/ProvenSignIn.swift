package import CloudAccounts
package import CloudIdentity
package import CloudModel

/// A person whom a provider has proven, and the verdict of the provider's rule on them.
package struct ProvenSignIn: Sendable {
    package var person: ProvenPerson
    package let verdict: SignInAdmission.Verdict
    /// The roles of the person's groups; nil if the provider told no groups.
    package let roles: Set<GroupRole.Role>?
    /// Apple's refresh token, for revocation.
    package var refreshToken: ProviderSecret?

    /// - Parameters:
    ///   - token: has passed every check.
    ///   - now: the time of the sign-in.
    package init(_ token: IDToken, at provider: SignInProvider, now: Timestamp) {
        person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: token.subject)
        person.email = token.email
        person.isAddressProven = Self.isProven(token, by: provider)
        person.isRelayAddress = token.isPrivateEmail
        person.givenName = ToldName.cleaned(token.claims["given_name"]?.string)
        person.familyName = ToldName.cleaned(token.claims["family_name"]?.string)
        if person.givenName == nil, person.familyName == nil { person.givenName = token.name }
        let vouched = token.isEmailVerified || person.isAddressProven ? token.email : nil
        let groups = token.names(provider.groupsClaim)
        verdict = provider.admission.verdict(address: vouched, groups: groups)
        roles = token.claims.contains(provider.groupsClaim) ? provider.roles(of: groups) : nil
        person.login = provider.login(token.told, session: token.sessionID, now: now)
    }

    package init(_ found: GitHubPerson, at provider: SignInProvider, now: Timestamp) {
        person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: found.subject)
        person.email = found.email
        person.isAddressProven = found.email != nil && provider.trustsAddresses
        person.givenName = found.name
        verdict = provider.admission.verdict(address: found.email, groups: [])
        roles = []
        person.login = provider.login(found.subject, session: nil, now: now)
    }

    /// True if the provider is the authority for the address, not only if it calls it verified.
    private static func isProven(_ token: IDToken, by provider: SignInProvider) -> Bool {
        guard token.email != nil else { return false }
        switch provider.kind {
        case .google: return token.isGooglesAddress
        case .apple: return token.isEmailVerified
        case .microsoft: return false
        // An address that the provider calls unconfirmed is that of whoever typed it.
        default: return provider.trustsAddresses && (token.isEmailVerified || !token.claims.contains("email_verified"))
        }
    }
}

extension SignInProvider {
    fileprivate func login(_ subject: String, session: String?, now: Timestamp) -> ProviderLogin {
        ProviderLogin(provider: name, issuer: issuer, subject: subject, session: session, time: now)
    }
}
