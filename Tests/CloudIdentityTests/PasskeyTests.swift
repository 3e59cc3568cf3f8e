import CloudIdentity
import CloudModel
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PasskeyTests {
    private static let challenge = TestAuthenticator.challenge

    @Test("Passkeys of each algorithm by another library are accepted", arguments: PasskeyVector.all)
    func vectors(_ vector: PasskeyVector) throws {
        let rules = try TestAuthenticator.rules()
        let new = try rules.register(
            RegistrationAnswer(
                id: bytes(vector.id), clientData: bytes(vector.registrationClientData),
                attestationObject: bytes(vector.attestationObject)),
            challenge: bytes(vector.registrationChallenge))
        #expect(new.attestation == .itself && new.isBackupEligible && !new.isBackedUp && new.isUserVerified)
        let stored = StoredPasskey(
            id: new.id, key: try PasskeyKey(bytes: new.key.bytes), signCount: new.signCount,
            isBackupEligible: new.isBackupEligible, userHandle: [1])
        func use(_ signature: [UInt8]) throws -> PasskeyUse {
            try rules.use(
                stored,
                AssertionAnswer(
                    id: bytes(vector.id), clientData: bytes(vector.assertionClientData),
                    authenticatorData: bytes(vector.authenticatorData), signature: signature, userHandle: [1]),
                challenge: bytes(vector.assertionChallenge))
        }
        let used = try use(bytes(vector.signature))
        #expect(used.isBackedUp && used.isUserVerified && !used.mayBeCopied && used.signCount == 0)
        for place in 0..<bytes(vector.signature).count {
            var changed = bytes(vector.signature)
            changed[place] ^= 0x10
            #expect(throws: PasskeyFault.signature) { try use(changed) }
        }
        #expect(throws: PasskeyFault.signature) { try use(bytes(vector.signature) + [0]) }
        #expect(throws: PasskeyFault.signature) { try use(bytes(vector.signature).dropLast()) }
    }

    @Test("A registration that was changed in any byte is refused or makes another passkey")
    func changedRegistration() throws {
        let vector = PasskeyVector.all[0]
        let rules = try TestAuthenticator.rules()
        let good = bytes(vector.attestationObject)
        for place in good.indices {
            for bit in [UInt8(0x01), 0x80] {
                var changed = good
                changed[place] ^= bit
                let answer = RegistrationAnswer(
                    id: bytes(vector.id), clientData: bytes(vector.registrationClientData), attestationObject: changed)
                guard let new = try? rules.register(answer, challenge: bytes(vector.registrationChallenge)) else {
                    continue
                }
                // A changed name of the format: the statement, which is not judged then, signs nothing.
                #expect(new.attestation == .ignored)
            }
        }
        for count in good.indices {
            let answer = RegistrationAnswer(
                id: bytes(vector.id), clientData: bytes(vector.registrationClientData),
                attestationObject: Array(good[..<count]))
            #expect(throws: PasskeyFault.self) {
                try rules.register(answer, challenge: bytes(vector.registrationChallenge))
            }
        }
    }

    @Test("A forged registration is refused for its fault", arguments: ForgedPasskey.registrations)
    func forgedRegistration(_ forged: ForgedPasskey) throws {
        var authenticator = TestAuthenticator()
        _ = try TestAuthenticator.rules().register(authenticator.register(), challenge: Self.challenge)
        let rules = try TestAuthenticator.rules { $0.algorithms = forged.algorithms }
        authenticator.flags = 0x45
        forged.change(&authenticator)
        #expect(throws: forged.fault) {
            try rules.register(authenticator.registerAsSaid(), challenge: forged.challenge)
        }
    }

    @Test("A forged assertion is refused for its fault", arguments: ForgedPasskey.assertions)
    func forgedAssertion(_ forged: ForgedPasskey) throws {
        var authenticator = TestAuthenticator()
        authenticator.signCount = 5
        let stored = try authenticator.stored(signCount: 4)
        _ = try TestAuthenticator.rules().use(stored, authenticator.use(), challenge: Self.challenge)
        forged.change(&authenticator)
        #expect(throws: forged.fault) {
            try TestAuthenticator.rules { $0.algorithms = forged.algorithms }
                .use(stored, authenticator.use(), challenge: forged.challenge)
        }
    }

    @Test("A signature is for its own authenticator data and client data alone")
    func changedAssertion() throws {
        var authenticator = TestAuthenticator()
        authenticator.flags = 0x0d
        let (good, rules) = (authenticator.use(), try TestAuthenticator.rules())
        let stored = try authenticator.stored(isBackupEligible: true)
        var data = good.authenticatorData
        // Backed up; a higher counter: nothing but the signature tells.
        for (place, bit) in [(32, UInt8(0x10)), (36, 1)] {
            data[place] ^= bit
            let answer = AssertionAnswer(
                id: good.id, clientData: good.clientData, authenticatorData: data, signature: good.signature,
                userHandle: good.userHandle)
            #expect(throws: PasskeyFault.signature) { try rules.use(stored, answer, challenge: Self.challenge) }
        }
        let answer = AssertionAnswer(
            id: good.id, clientData: good.clientData + [0x20], authenticatorData: good.authenticatorData,
            signature: good.signature, userHandle: good.userHandle)
        #expect(throws: PasskeyFault.signature) { try rules.use(stored, answer, challenge: Self.challenge) }
        let other = TestAuthenticator()
        #expect(throws: PasskeyFault.signature) {
            try rules.use(other.stored(isBackupEligible: true), good, challenge: Self.challenge)
        }
    }

    @Test("Counters grow, stay at zero, or are reported")
    func counters() throws {
        var authenticator = TestAuthenticator()
        func use(stored: UInt32, told: UInt32, _ policy: PasskeyRules.CounterPolicy) throws -> PasskeyUse {
            authenticator.signCount = told
            return try TestAuthenticator.rules { $0.counterPolicy = policy }
                .use(authenticator.stored(signCount: stored), authenticator.use(), challenge: Self.challenge)
        }
        #expect(try use(stored: 0, told: 0, .refuse).mayBeCopied == false)
        #expect(try use(stored: 0, told: 1, .refuse).signCount == 1)
        #expect(try use(stored: 1, told: .max, .refuse).signCount == .max)
        for (stored, told) in [(5, 5), (5, 4), (5, 0), (.max, 1)] as [(UInt32, UInt32)] {
            #expect(throws: PasskeyFault.counter) { try use(stored: stored, told: told, .refuse) }
            let used = try use(stored: stored, told: told, .report)
            #expect(used.mayBeCopied && used.signCount == stored)
        }
    }

    @Test("Statements of other formats are not judged, and extensions are passed over")
    func otherFormats() throws {
        var authenticator = TestAuthenticator()
        let rules = try TestAuthenticator.rules()
        authenticator.format = "fido-u2f"
        authenticator.statement = bytes("a163736967410a")
        #expect(try rules.register(authenticator.register(), challenge: Self.challenge).attestation == .ignored)
        authenticator = TestAuthenticator()
        authenticator.format = "packed"
        authenticator.statement = bytes("a263616c67266378356380")
        #expect(try rules.register(authenticator.register(), challenge: Self.challenge).attestation == .ignored)
        authenticator = TestAuthenticator()
        authenticator.flags = 0x85
        authenticator.trailing = bytes("a16b6372656450726f7465637403")
        #expect(try rules.register(authenticator.register(), challenge: Self.challenge).attestation == .none)
        _ = try rules.use(authenticator.stored(), authenticator.use(), challenge: Self.challenge)
    }

    @Test("A browser makes a passkey without a touch only where it was asked so")
    func conditional() throws {
        var authenticator = TestAuthenticator()
        authenticator.flags = 0x04
        let rules = try TestAuthenticator.rules()
        _ = try rules.register(authenticator.register(), challenge: Self.challenge, isConditional: true)
        #expect(throws: PasskeyFault.userPresence) {
            try rules.register(authenticator.register(), challenge: Self.challenge)
        }
    }
}
