/// A credentials fault of a request. Readers of trails see its text; the client learns less.
package enum CredentialsFault: Hashable, Sendable {
    case noAPIToken
    case unknownAPIToken
    case apiTokenOfAnotherContainer
    case apiTokenOfAnotherEnvironment
    case noOrigin
    case anotherOrigin
    case tokenBesideSignature
    case signatureHeaders
    case unknownKey
    case keyOfAnotherContainer
    case keyOfAnotherEnvironment
    case keyOutsidePublic
    case malformedDate
    /// Seconds between the date and the server's clock, and the limit.
    case date(off: Int64, allowed: Int64)
    case malformedSignature
    case signature
    case notSignedIn
    case malformedSession
    case unknownSession
    case expiredSession
    case sessionOfAnotherContainer
    case sessionOfAnotherEnvironment
    case sessionOfAnotherToken
    case disabledUser
    case unconfirmedUser
    case noManagementToken
    case unknownManagementToken
    case managementTokenOfAnotherContainer
    case managementTokenWithoutScope
    case operatorRole
    case operatorsAccount
    case expiredLink
    case forgedLink
    case usedLink
    case password
    case passwordNeeded
    case code
    case form
    /// A sign-in at a provider was refused: one clause of this server's.
    case provider(reason: String)
    case notForKeys
    case notForTests
    /// The last way to sign in to an account would be removed.
    case lastWayIn
    /// The fault of a passkey's answer, in the words of the check.
    case passkey(String)
    case freshProof
    /// The setting `signIn.passwords` is off.
    case passwordsOff

    package var text: String {
        switch self {
        case .noAPIToken: "ckAPIToken is missing, and the request is not signed"
        case .unknownAPIToken: "the API token is unknown or revoked"
        case .apiTokenOfAnotherContainer: "the API token is of another container"
        case .apiTokenOfAnotherEnvironment: "the API token is of another environment"
        case .noOrigin: "the API token is for certain origins, and there is no header Origin"
        case .anotherOrigin: "the API token is not for pages of this origin"
        case .tokenBesideSignature: "a signature and a token were both sent"
        case .signatureHeaders: "a header of the signature is missing"
        case .unknownKey: "the server-to-server key is unknown or revoked"
        case .keyOfAnotherContainer: "the server-to-server key is of another container"
        case .keyOfAnotherEnvironment: "the server-to-server key is of another environment"
        case .keyOutsidePublic: "a server-to-server key works in the public database only"
        case .malformedDate: "the date of the signature is not of the form 2016-01-25T22:15:43Z"
        case .date(let off, let allowed):
            "the date of the signature is \(off) s old, more than the \(allowed) s allowed"
        case .malformedSignature: "the signature is not base64 of DER"
        case .signature: "the signature does not fit the key, date, body and path"
        case .notSignedIn: "nobody is signed in"
        case .malformedSession: "the web auth token is malformed"
        case .unknownSession: "the web auth token is unknown, revoked or long expired"
        case .expiredSession: "the web auth token has expired"
        case .sessionOfAnotherContainer: "the web auth token is of another container"
        case .sessionOfAnotherEnvironment: "the web auth token is of another environment"
        case .sessionOfAnotherToken: "the web auth token belongs to another API token"
        case .disabledUser: "the user is disabled"
        case .unconfirmedUser: "the user's address is not confirmed"
        case .noManagementToken: "the header Authorization has no management token"
        case .unknownManagementToken: "the management token is unknown or expired"
        case .managementTokenOfAnotherContainer: "the management token is for another container"
        case .managementTokenWithoutScope: "the management token does not have the scope"
        case .operatorRole: "the operator's role does not let them change this"
        case .operatorsAccount: "the account is an operator's, which needs every scope to be changed"
        case .expiredLink: "the link has expired"
        case .forgedLink: "the link was not made by this server"
        case .usedLink: "the link has been used"
        case .password: "the email address or the password is wrong"
        case .passwordNeeded: "the link has a password"
        case .code: "the code is wrong or no longer valid"
        case .form: "the form was not sent from a page of this server, or has expired"
        case .provider(let reason): "the sign-in at the provider was refused: \(reason)"
        case .notForKeys: "the endpoint is for people, not for server-to-server keys"
        case .notForTests: "the request does not come from this machine, as --dev demands"
        case .lastWayIn: "it is the last way to sign in to the account"
        case .passkey(let fault): fault
        case .freshProof: "neither password nor passkey was entered within the last 10 minutes"
        case .passwordsOff: "passwords are off on this server"
        }
    }
}
