package import CloudAccounts
package import CloudIdentity
import CloudModel

/// A person whom a provider has proven, and the verdict of the provider's rule on them.
package struct ProvenSignIn: Sendable {
    package var person: ProvenPerson
    package let verdict: SignInAdmission.Verdict
    /// Apple's refresh token, for revocation.
    package var refreshToken: ProviderSecret?

    /// - Parameter token: has passed every check.
    package init(_ token: IDToken, at provider: SignInProvider) {
        person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: token.subject)
        person.email = token.email
        person.isAddressProven = Self.isProven(token, by: provider)
        person.isRelayAddress = token.isPrivateEmail
        person.givenName = ToldName.cleaned(token.claims["given_name"]?.string)
        person.familyName = ToldName.cleaned(token.claims["family_name"]?.string)
        if person.givenName == nil, person.familyName == nil { person.givenName = token.name }
        let vouched = token.isEmailVerified || person.isAddressProven ? token.email : nil
        verdict = provider.admission.verdict(address: vouched, groups: token.names(provider.groupsClaim))
    }

    package init(_ found: GitHubPerson, at provider: SignInProvider) {
        person = ProvenPerson(provider: provider.name, issuer: provider.issuer, subject: found.subject)
        person.email = found.email
        person.isAddressProven = found.email != nil && provider.trustsAddresses
        person.givenName = found.name
        verdict = provider.admission.verdict(address: found.email, groups: [])
    }

    /// True if the provider is the authority for the address, not only if it calls it verified.
    private static func isProven(_ token: IDToken, by provider: SignInProvider) -> Bool {
        guard token.email != nil else { return false }
        switch provider.kind {
        case .google: return token.isGooglesAddress
        case .apple: return token.isEmailVerified
        case .microsoft: return false
        default: return provider.trustsAddresses
        }
    }
}
