import CloudIdentity
import CloudModel
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RelyingPartyTests {
    @Test(
        "Passkeys are for the host of the origin or a parent domain",
        arguments: [
            (nil, "https://example.org", "example.org"), (nil, "https://a.example.org:8443", "a.example.org"),
            ("example.org", "https://a.example.org", "example.org"), (nil, "http://localhost:8080", "localhost"),
            ("a.localhost", "http://a.localhost:8080", "a.localhost"),
            (nil, "https://xn--bcher-kva.example", "xn--bcher-kva.example"),
        ] as [(String?, String, String)])
    func accepted(id: String?, origin: String, expected: String) throws {
        let party = try RelyingParty(id: id, origin: origin, relatedOrigins: ["https://app.example"])
        #expect(party.id == expected && party.origins == [origin, "https://app.example"])
    }

    @Test(
        "Sites that cannot have passkeys are refused",
        arguments: [
            (nil, "https://192.0.2.1", .address), (nil, "https://[::1]:8443", .address),
            (nil, "http://example.org", .origin),
            (nil, "https://example.org/", .origin), (nil, "https://example.org/path", .origin),
            (nil, "example.org", .origin),
            (nil, "", .origin), (nil, "https://example.org:443", .origin), (nil, "https://example.org:0443", .origin),
            (nil, "https://example.org:", .origin), (nil, "https://example.org:70000", .origin),
            (nil, "ftp://localhost", .origin), (nil, "https://b\u{fc}cher.example", .origin),
            (nil, "https://EXAMPLE.org", .origin), (nil, "https://a@example.org", .origin),
            ("org", "https://example.org", .id), ("Example.org", "https://example.org", .id),
            ("", "https://example.org", .id), ("example.org.", "https://example.org", .id),
            (".example.org", "https://a.example.org", .id), ("192.0.2.1", "https://example.org", .address),
            ("ample.org", "https://example.org", .foreign), ("other.org", "https://example.org", .foreign),
            ("a.example.org", "https://example.org", .foreign),
        ] as [(String?, String, RelyingParty.Fault)])
    func refused(id: String?, origin: String, fault: RelyingParty.Fault) {
        #expect(throws: fault) { try RelyingParty(id: id, origin: origin) }
    }

    @Test("A passkey made on a related origin is accepted where the operator names it")
    func relatedOrigin() throws {
        var authenticator = TestAuthenticator()
        authenticator.clientData = [("origin", .string("https://app.example"))]
        let party = try RelyingParty(origin: TestAuthenticator.origin, relatedOrigins: ["https://app.example"])
        let answer = authenticator.register()
        _ = try PasskeyRules(relyingParty: party).register(answer, challenge: TestAuthenticator.challenge)
    }

    @Test("Browsers' answers are read from JSON, and what is missing is refused")
    func answers() throws {
        func answer(_ changes: KeyValuePairs<String, JSONValue>, _ response: JSONValue) -> JSONObject {
            var object = TestProvider.object([
                "id": .string("AQID"), "rawId": .string("AQID"), "type": .string("public-key"), "response": response,
            ])
            for (name, value) in changes { object.set(name, value) }
            return object
        }
        let made = JSONValue.members([
            "clientDataJSON": .string("e30"), "attestationObject": .string("oA"),
            "transports": .array([.string("internal"), .string("<b>"), .integer(1), .string("hybrid")]),
        ])
        let registration = try RegistrationAnswer(answer([:], made))
        #expect(registration.id == [1, 2, 3] && registration.clientData == Array("{}".utf8))
        #expect(registration.attestationObject == [0xa0] && registration.transports == ["internal", "hybrid"])
        for changes in [
            ["id": .string("AQIE")], ["type": .string("password")], ["rawId": .integer(1)], ["response": .null],
        ]
            as [KeyValuePairs<String, JSONValue>]
        {
            #expect(throws: PasskeyFault.answer) { try RegistrationAnswer(answer(changes, made)) }
        }
        let long = JSONValue.string(Base64URL.encode([UInt8](repeating: 1, count: 1024)))
        #expect(throws: PasskeyFault.credentialID) {
            try RegistrationAnswer(answer(["id": long, "rawId": long], made))
        }
        #expect(throws: PasskeyFault.answer) { try AssertionAnswer(answer([:], made)) }
        let used = JSONValue.members([
            "clientDataJSON": .string("e30"), "authenticatorData": .string("AA"), "signature": .string("AA"),
            "userHandle": .null,
        ])
        #expect(try AssertionAnswer(answer([:], used)).userHandle == nil)
    }

    @Test("Options ask for a discoverable passkey with verification, and name no account")
    func options() throws {
        let options = PasskeyOptions(rules: try TestAuthenticator.rules())
        let known = PasskeyOptions.Known(id: [1, 2, 3], transports: ["internal"])
        let creation = options.creation(
            challenge: [0xff], siteName: "Cumulus", userHandle: [0], name: "a@example.org", displayName: "A",
            existing: [known])
        #expect(
            json(creation)
                == #"{"rp":{"id":"example.org","name":"Cumulus"},"user":{"id":"AA","name":"a@example.org","displayName":"A"},"#
                + #""challenge":"_w","pubKeyCredParams":[{"type":"public-key","alg":-8},{"type":"public-key","alg":-7},"#
                + #"{"type":"public-key","alg":-257}],"timeout":300000,"excludeCredentials":[{"type":"public-key","id":"AQID","#
                + #""transports":["internal"]}],"authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"#
                + #""userVerification":"required"},"attestation":"none"}"#)
        #expect(
            json(options.request(challenge: [0xff]))
                == #"{"challenge":"_w","timeout":300000,"rpId":"example.org","allowCredentials":[],"userVerification":"required"}"#
        )
        #expect(PasskeyOptions.challenge().count == 32 && PasskeyOptions.challenge() != PasskeyOptions.challenge())
        #expect(PasskeyOptions.userHandle().count == 32)
    }
}
