import CloudModel

/// A person at a provider, after all checks of the provider's answer.
package struct ProvenPerson: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    package let issuer: String
    /// The provider's name for the person, compared byte by byte.
    package let subject: String
    /// The address as the provider told it; nil for none.
    package var email: String?
    /// Whether the provider is the authority for the address, which the person thereby owns.
    package var isAddressProven = false
    /// Whether the address is a relay's; people are not found by it.
    package var isRelayAddress = false
    package var givenName: String?
    package var familyName: String?
    /// The sign-in, for the sessions that it begins.
    package var login: ProviderLogin?

    package init(provider: String, issuer: String, subject: String) {
        (self.provider, self.issuer, self.subject) = (provider, issuer, subject)
    }

    /// The address that an account may have; nil for a relay's and for a text that is no address.
    var address: String? { isRelayAddress ? nil : email.flatMap { try? EmailAddress.check($0) } }
}

/// The outcome of a sign-in at a provider.
package enum IdentitySignIn: Hashable, Sendable {
    /// The identity's account is signed in with the browser.
    case signedIn(UserAccount, IdentityLogin)
    /// An account has the address, which is confirmed: its owner connects the identity with a proof of their own.
    case ownsAddress(UserAccount)
    case refused(IdentityRefusal)
}

/// A browser signed in by an identity.
package struct IdentityLogin: Hashable, Sendable {
    /// The text of the browser's cookie, which cannot be read again.
    package let token: String
    /// True for the first sign-in of a new account.
    package let isFirst: Bool
}

/// The reason why an identity was not signed in, connected or removed. Holds no text of the person.
package enum IdentityRefusal: Hashable, Sendable {
    /// The sign-in has been used.
    case used
    case disabled
    /// The person has no account, and the provider's rule makes none.
    case admission(SignInAdmission.Refusal?)
    /// The identity is connected to another account.
    case otherAccount
    /// The account has ``PersonIdentity/mostPerAccount`` identities.
    case tooMany

    /// One clause for logs and trails.
    package var reason: String {
        switch self {
        case .used: "the sign-in has been used"
        case .disabled: "the account is disabled"
        case .admission(let refusal): refusal?.rawValue ?? "no operator has made an account for the person"
        case .otherAccount: "the identity is connected to another account"
        case .tooMany: "the account has \(PersonIdentity.mostPerAccount) identities"
        }
    }
}
