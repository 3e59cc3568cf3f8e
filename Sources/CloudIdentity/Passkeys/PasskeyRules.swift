/// The checks of passkeys (WebAuthn Level 3 §7.1, §7.2), in their order.
package struct PasskeyRules: Sendable {
    /// What happens when a counter goes back.
    package enum CounterPolicy: Sendable {
        case refuse
        /// The caller logs it.
        case report
    }

    package var relyingParty: RelyingParty
    package var requiresUserVerification: Bool
    package var algorithms: [PasskeyKey.Algorithm]
    package var counterPolicy: CounterPolicy

    package init(
        relyingParty: RelyingParty, requiresUserVerification: Bool = true,
        algorithms: [PasskeyKey.Algorithm] = PasskeyKey.Algorithm.allCases, counterPolicy: CounterPolicy = .refuse
    ) {
        self.relyingParty = relyingParty
        self.requiresUserVerification = requiresUserVerification
        self.algorithms = algorithms
        self.counterPolicy = counterPolicy
    }

    /// Checks relying party and flags, which registration and assertion share.
    func check(_ data: AuthenticatorData, needsPresence: Bool) throws(PasskeyFault) {
        guard data.relyingPartyHash == relyingParty.digest else { throw .relyingParty }
        guard !needsPresence || data.flags.contains(.userPresent) else { throw .userPresence }
        guard !requiresUserVerification || data.flags.contains(.userVerified) else { throw .userVerification }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else { throw .backup }
    }
}

/// A passkey that was made and checked.
package struct NewPasskey: Sendable {
    package enum Attestation: Hashable, Sendable {
        case none
        /// The passkey signed for itself.
        case itself
        /// A statement that is not judged.
        case ignored
    }

    package let id: [UInt8]
    package let key: PasskeyKey
    package let signCount: UInt32
    /// Whether the passkey can be on several devices.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
    package let isUserVerified: Bool
    /// The AAGUID: the model of the authenticator, 16 bytes, zeros where it is not told.
    package let model: [UInt8]
    package let transports: [String]
    package let attestation: Attestation
}

extension PasskeyRules {
    private static let longestAttestation = 64 * 1024

    /// Checks a registration. The caller accepts a challenge once, and refuses an id that any account has.
    ///
    /// - Parameter isConditional: whether the browser made the passkey without asking (`mediation: "conditional"`).
    package func register(
        _ answer: RegistrationAnswer, challenge: [UInt8], isConditional: Bool = false
    ) throws(PasskeyFault) -> NewPasskey {
        let clientData = try ClientData(answer.clientData)
        try clientData.check(.registration, challenge: challenge, relyingParty: relyingParty)
        let (format, statement, data) = try Self.parts(answer.attestationObject)
        try check(data, needsPresence: !isConditional)
        guard let attested = data.attested else { throw .attestedData }
        guard algorithms.contains(attested.key.algorithm) else { throw .algorithm }
        guard attested.id == answer.id else { throw .credentialID }
        let attestation = try Self.check(
            format, statement, attested.key, signed: data.bytes + clientData.digest)
        return NewPasskey(
            id: attested.id, key: attested.key, signCount: data.signCount,
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            isUserVerified: data.flags.contains(.userVerified), model: attested.model, transports: answer.transports,
            attestation: attestation)
    }

    private static func parts(
        _ bytes: [UInt8]
    ) throws(PasskeyFault) -> (format: String, statement: CBORMap, AuthenticatorData) {
        guard bytes.count <= longestAttestation else { throw .size }
        let value: CBORValue
        do { value = try CBORReader.whole(bytes) } catch { throw .attestation }
        guard let members = value.map, let format = members["fmt"]?.text, let statement = members["attStmt"]?.map,
            let data = members["authData"]?.bytes
        else { throw .attestation }
        return (format, statement, try AuthenticatorData(data))
    }

    /// - Parameter signed: the bytes that a statement signs.
    private static func check(
        _ format: String, _ statement: CBORMap, _ key: PasskeyKey, signed: [UInt8]
    ) throws(PasskeyFault) -> NewPasskey.Attestation {
        switch format {
        case "none":
            guard statement.isEmpty else { throw .statement }
            return .none
        case "packed" where statement["x5c"] == nil && statement["ecdaaKeyId"] == nil:
            guard statement["alg"]?.integer == key.algorithm.rawValue, let signature = statement["sig"]?.bytes,
                key.isValidSignature(signature, for: signed)
            else { throw .statement }
            return .itself
        default: return .ignored
        }
    }
}
