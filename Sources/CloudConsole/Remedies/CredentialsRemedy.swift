import CloudModel

extension CredentialsFault {
    var remedy: Remedy {
        switch self {
        case .noAPIToken, .unknownAPIToken, .apiTokenOfAnotherContainer, .apiTokenOfAnotherEnvironment:
            Remedy(
                "Give the app a token of the container and environment in its path: 'cumulus token create' makes one.",
                .settings)
        case .noOrigin, .anotherOrigin:
            Remedy("Call from a page of an allowed origin, or make a token that allows this one.", .settings)
        case .tokenBesideSignature: Remedy("Send the signature or the token, not both.")
        case .signatureHeaders: Remedy("Send all three headers of a signature: key, date and signature.")
        case .unknownKey, .keyOfAnotherContainer, .keyOfAnotherEnvironment:
            Remedy("Add the public key for the container and environment in the path: 'cumulus key add'.", .settings)
        case .keyOutsidePublic: Remedy("Use the public database, or the web auth token of a user.")
        case .malformedDate: Remedy("Send the date of the signature in that form, in UTC.")
        case .date: Remedy("Set the clock of the machine that signs.")
        case .malformedSignature, .signature:
            Remedy("Sign date, SHA-256 of the body and path, with colons between them, with the private key.")
        case .notSignedIn: Remedy("The user signs in.")
        case .unknownSession, .expiredSession: Remedy("The user signs in again.")
        case .malformedSession: Remedy("Send ckWebAuthToken as the server gave it, percent-encoded.")
        case .sessionOfAnotherContainer, .sessionOfAnotherEnvironment, .sessionOfAnotherToken:
            Remedy("The user signs in with this API token: a session belongs to the one it was made with.")
        case .disabledUser: Remedy("Enable the account, if the user may come back.", .person)
        case .unconfirmedUser:
            Remedy("The user opens the link in the mail, or an operator confirms the address.", .person)
        case .noManagementToken, .unknownManagementToken, .managementTokenOfAnotherContainer,
            .managementTokenWithoutScope:
            Remedy(
                "Send a management token with the container and scope: 'cumulus management-token create' makes one.",
                .settings)
        case .operatorRole: Remedy("An owner does it, or gives the operator another role: 'cumulus operator set-role'.")
        case .operatorsAccount:
            Remedy("Somebody who may make operators does it: an owner, or a token with every scope.")
        case .expiredLink, .usedLink: Remedy("Ask for a new link.")
        case .forgedLink: Remedy("Use the link as this server made it, whole.")
        case .password: Remedy("Type both again, or set a new password: 'cumulus user set-password'.", .person)
        case .passwordNeeded: Remedy("Give the link's password on its page.", .shares)
        case .code: Remedy("Use the latest code, or ask for a new one.")
        case .form: Remedy("Load the page again and send the form from there.")
        case .provider: Remedy("Begin the sign-in again; if it goes on, run 'cumulus provider test'.", .person)
        case .notForKeys: Remedy("Send the web auth token of a user.")
        case .notForTests: Remedy("Call from the machine that the server runs on, by a name of that machine.")
        case .lastWayIn: Remedy("The user adds a password, a passkey or an identity first.", .person)
        case .passkey: Remedy("The user tries again, signs in otherwise, or adds the passkey anew.", .person)
        case .freshProof: Remedy("The user enters the password, or uses a passkey, and tries again.")
        case .passwordsOff:
            Remedy("Sign in at a provider or with a passkey; the setting signIn.passwords turns passwords on.")
        }
    }
}
