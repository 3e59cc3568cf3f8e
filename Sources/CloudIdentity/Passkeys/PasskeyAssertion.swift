/// A passkey of an account, as it is stored.
package struct StoredPasskey: Sendable {
    package let id: [UInt8]
    package let key: PasskeyKey
    package let signCount: UInt32
    package let isBackupEligible: Bool
    /// The `user.id` of its account.
    package let userHandle: [UInt8]

    package init(id: [UInt8], key: PasskeyKey, signCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]) {
        (self.id, self.key, self.signCount) = (id, key, signCount)
        (self.isBackupEligible, self.userHandle) = (isBackupEligible, userHandle)
    }
}

/// What an assertion changes about a stored passkey.
package struct PasskeyUse: Hashable, Sendable {
    /// The counter to be stored: it never goes back.
    package let signCount: UInt32
    package let isBackedUp: Bool
    package let isUserVerified: Bool
    /// True if the counter did not grow although it is in use.
    package let mayBeCopied: Bool
}

extension PasskeyRules {
    /// Checks an assertion by a stored passkey. The caller accepts a challenge once.
    package func use(
        _ passkey: StoredPasskey, _ answer: AssertionAnswer, challenge: [UInt8]
    ) throws(PasskeyFault) -> PasskeyUse {
        guard answer.id == passkey.id else { throw .unknownCredential }
        guard let handle = answer.userHandle else { throw .userHandleMissing }
        guard handle == passkey.userHandle else { throw .userHandle }
        let clientData = try ClientData(answer.clientData)
        try clientData.check(.assertion, challenge: challenge, relyingParty: relyingParty)
        let data = try AuthenticatorData(answer.authenticatorData)
        try check(data, needsPresence: true)
        guard data.flags.contains(.backupEligible) == passkey.isBackupEligible else { throw .backupChanged }
        guard passkey.key.isValidSignature(answer.signature, for: data.bytes + clientData.digest) else {
            throw .signature
        }
        let isCounted = data.signCount != 0 || passkey.signCount != 0
        let mayBeCopied = isCounted && data.signCount <= passkey.signCount
        guard !mayBeCopied || counterPolicy == .report else { throw .counter }
        return PasskeyUse(
            signCount: max(data.signCount, passkey.signCount), isBackedUp: data.flags.contains(.backedUp),
            isUserVerified: data.flags.contains(.userVerified), mayBeCopied: mayBeCopied)
    }
}
