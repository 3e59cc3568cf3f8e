import CloudIdentity
import CloudModel
import Testing

/// The example of Web Authentication Level 3 §16: ES256 without attestation, and without user verification.
@Suite(.timeLimit(.minutes(5)))
struct W3CVectorTests {
    private static let registrationChallenge = bytes("00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130")
    private static let registrationClientData = """
        {"type":"webauthn.create","challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",\
        "origin":"https://example.org","crossOrigin":false,"extraData":"clientDataJSON may be extended with additional \
        fields in the future, such as this: BkQeDjdcTBrXBiAwJTLE5Q"}
        """
    private static let attestationObject = bytes(
        """
        a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0
        f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3e
        c330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2f
        ca66334b03458abf879717c12cc68ed73290af2e2664796b9220
        """)
    private static let assertionChallenge = bytes("39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408")
    private static let assertionClientData = """
        {"type":"webauthn.get","challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag",\
        "origin":"https://example.org","crossOrigin":false}
        """
    private static let authenticatorData = bytes(
        "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000")
    private static let signature = bytes(
        """
        3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d
        78c6e486013f937295ea13653e331e87
        """)
    private static let id = bytes("f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4")
    private static let handle: [UInt8] = [1, 2, 3]

    private let rules: PasskeyRules

    init() throws { rules = try TestAuthenticator.rules { $0.requiresUserVerification = false } }

    private func register(
        _ object: [UInt8] = attestationObject, clientData: String = registrationClientData,
        challenge: [UInt8] = registrationChallenge, rules: PasskeyRules? = nil
    ) throws -> NewPasskey {
        try (rules ?? self.rules).register(
            RegistrationAnswer(id: Self.id, clientData: Array(clientData.utf8), attestationObject: object),
            challenge: challenge)
    }

    private func use(
        _ data: [UInt8] = authenticatorData, clientData: [UInt8] = Array(assertionClientData.utf8),
        signature: [UInt8] = signature, challenge: [UInt8] = assertionChallenge, handle: [UInt8] = handle,
        rules: PasskeyRules? = nil
    ) throws -> PasskeyUse {
        let new = try register()
        return try (rules ?? self.rules).use(
            StoredPasskey(
                id: new.id, key: new.key, signCount: new.signCount, isBackupEligible: new.isBackupEligible,
                userHandle: Self.handle),
            AssertionAnswer(
                id: Self.id, clientData: clientData, authenticatorData: data, signature: signature, userHandle: handle),
            challenge: challenge)
    }

    @Test("The example is accepted")
    func accepted() throws {
        let new = try register()
        #expect(new.id == Self.id && new.key.algorithm == .es256 && new.attestation == .none && new.signCount == 0)
        #expect(new.isBackupEligible && new.isBackedUp && !new.isUserVerified)
        #expect(new.model == bytes("8446ccb9ab1db374750b2367ff6f3a1f"))
        let used = try use()
        #expect(used.isBackedUp && !used.isUserVerified && !used.mayBeCopied)
    }

    @Test("The example is refused where the person must be verified")
    func verification() throws {
        let strict = try TestAuthenticator.rules()
        #expect(throws: PasskeyFault.userVerification) { try register(rules: strict) }
        #expect(throws: PasskeyFault.userVerification) { try use(rules: strict) }
    }

    @Test("The example with any byte of the assertion changed is refused")
    func changed() {
        for place in Self.authenticatorData.indices {
            var data = Self.authenticatorData
            data[place] ^= 0x20
            #expect(throws: PasskeyFault.self) { try use(data) }
        }
        for place in Self.assertionClientData.utf8.indices.enumerated().map(\.offset) {
            var text = Array(Self.assertionClientData.utf8)
            text[place] ^= 1
            #expect(throws: PasskeyFault.self) { try use(clientData: text) }
        }
        for place in Self.signature.indices {
            var signature = Self.signature
            signature[place] ^= 4
            #expect(throws: PasskeyFault.signature) { try use(signature: signature) }
        }
    }

    @Test("The example's ceremonies do not stand for each other")
    func ceremonies() {
        #expect(throws: PasskeyFault.challenge) { try use(challenge: Self.registrationChallenge) }
        #expect(throws: PasskeyFault.challenge) { try register(challenge: Self.assertionChallenge) }
        #expect(throws: PasskeyFault.ceremony) {
            try register(clientData: Self.assertionClientData, challenge: Self.assertionChallenge)
        }
        #expect(throws: PasskeyFault.ceremony) {
            try use(clientData: Array(Self.registrationClientData.utf8), challenge: Self.registrationChallenge)
        }
        #expect(throws: PasskeyFault.userHandle) { try use(handle: [1, 2, 4]) }
    }

    @Test("The example's registration cut short, lengthened or with a changed point is refused")
    func registrations() {
        let object = Self.attestationObject
        for count in object.indices {
            #expect(throws: PasskeyFault.self) { try register(Array(object[..<count])) }
        }
        #expect(throws: PasskeyFault.attestation) { try register(object + [0]) }
        for place in object.indices.suffix(32) {
            var changed = object
            changed[place] ^= 1
            #expect(throws: PasskeyFault.key) { try register(changed) }
        }
        let twice = Self.registrationClientData.dropLast() + #","origin":"https://evil.example"}"#
        #expect(throws: PasskeyFault.clientData) { try register(clientData: String(twice)) }
    }
}
