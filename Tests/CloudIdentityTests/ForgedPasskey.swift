import CloudIdentity
import CloudModel
import Testing

/// An answer of an authenticator that must be refused, and the fault that refuses it.
struct ForgedPasskey: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: PasskeyFault
    let challenge: [UInt8]
    let algorithms: [PasskeyKey.Algorithm]
    let change: @Sendable (inout TestAuthenticator) -> Void

    init(
        _ name: String, _ fault: PasskeyFault, challenge: [UInt8] = TestAuthenticator.challenge,
        algorithms: [PasskeyKey.Algorithm] = PasskeyKey.Algorithm.allCases,
        _ change: @escaping @Sendable (inout TestAuthenticator) -> Void = { _ in }
    ) {
        (testDescription, self.fault, self.challenge) = (name, fault, challenge)
        (self.algorithms, self.change) = (algorithms, change)
    }

    private static func clientData(_ name: String, _ fault: PasskeyFault, _ member: String, _ value: JSONValue?) -> Self
    {
        ForgedPasskey(name, fault) { $0.clientData = [(member, value)] }
    }

    private static func cose(_ name: String, _ fault: PasskeyFault, _ hex: String) -> Self {
        ForgedPasskey(name, fault) { $0.cose = bytes(hex) }
    }

    /// Faults of both ceremonies.
    private static let both: [ForgedPasskey] = [
        ForgedPasskey("another challenge", .challenge, challenge: [UInt8](repeating: 1, count: 32)),
        ForgedPasskey("no challenge was given", .challenge, challenge: []),
        clientData(
            "a challenge with padding", .challenge, "challenge",
            .string(Base64URL.encode(TestAuthenticator.challenge) + "=")),
        clientData("a challenge cut short", .challenge, "challenge", .string("AAEC")),
        clientData("no challenge", .challenge, "challenge", nil),
        clientData("no type", .ceremony, "type", nil),
        clientData("a payment", .ceremony, "type", .string("payment.get")),
        clientData("another site", .origin, "origin", .string("https://evil.example")),
        clientData("the site without TLS", .origin, "origin", .string("http://example.org")),
        clientData("another port", .origin, "origin", .string("https://example.org:8443")),
        clientData("a part of the site", .origin, "origin", .string("https://sub.example.org")),
        clientData("a site that begins alike", .origin, "origin", .string("https://example.org.evil.example")),
        clientData("an origin with a slash", .origin, "origin", .string("https://example.org/")),
        clientData("an origin that is a list", .origin, "origin", .array([.string("https://example.org")])),
        clientData("a frame of another site", .crossOrigin, "crossOrigin", .bool(true)),
        clientData("a frame by a text", .crossOrigin, "crossOrigin", .string("false")),
        clientData("a top origin", .crossOrigin, "topOrigin", .string("https://example.org")),
        clientData("client data beyond 8 KB", .size, "pad", .string(String(repeating: "a", count: 8192))),
        ForgedPasskey("the id of another relying party", .relyingParty) { $0.site = "evil.example" },
        ForgedPasskey("no touch", .userPresence) { $0.flags &= ~0x01 },
        ForgedPasskey("no verification", .userVerification) { $0.flags &= ~0x04 },
        ForgedPasskey("backed up without being eligible", .backup) { $0.flags |= 0x10 },
        ForgedPasskey("bytes after the data", .trailingBytes) { $0.trailing = [0] },
        ForgedPasskey("bytes after the extensions", .trailingBytes) {
            $0.flags |= 0x80
            $0.trailing = bytes("a000")
        },
        ForgedPasskey("extensions that are missing", .authenticatorData) { $0.flags |= 0x80 },
        ForgedPasskey("extensions that are a list", .authenticatorData) {
            $0.flags |= 0x80
            $0.trailing = [0x80]
        },
        ForgedPasskey("extensions without an end", .authenticatorData) {
            $0.flags |= 0x80
            $0.trailing = bytes("bf6161f5ff")
        },
        ForgedPasskey("authenticator data beyond 16 KB", .size) {
            $0.trailing = [UInt8](repeating: 0, count: 16 * 1024)
        },
    ]

    private static let zeros = String(repeating: "00", count: 32)

    static let registrations: [ForgedPasskey] =
        both + [
            clientData("an assertion as a registration", .ceremony, "type", .string("webauthn.get")),
            ForgedPasskey("no new key", .attestedData) { $0.flags = 0x05 },
            ForgedPasskey("no id", .credentialID) { $0.id = [] },
            ForgedPasskey("an id of 1,024 bytes", .credentialID) { $0.id = [UInt8](repeating: 1, count: 1024) },
            ForgedPasskey("an id that is not the answer's", .credentialID) { $0.answeredID = [1] },
            ForgedPasskey("an algorithm that was not asked for", .algorithm, algorithms: [.edDSA]),
            cose("no key", .key, ""), cose("a key that is a list", .key, "80"),
            cose("a key without an algorithm", .key, "a10102"),
            cose("an unknown algorithm", .algorithm, "a2010203382e"),
            cose("a point that is not on the curve", .key, "a5010203262001215820\(zeros)225820\(zeros)"),
            cose("a point of 31 bytes", .key, "a501020326200121581f\(zeros.dropLast(2))225820\(zeros)"),
            cose("an ES256 key of another type", .key, "a5010103262001215820\(zeros)225820\(zeros)"),
            cose("an ES256 key of another curve", .key, "a5010203262002215820\(zeros)225820\(zeros)"),
            cose("an Ed25519 key of 31 bytes", .key, "a401010327200621581f\(zeros.dropLast(2))"),
            cose("an RSA key of 256 bits", .key, "a401030339010020582001\(zeros.dropLast(2))2143010001"),
            cose("a key with members out of order", .key, "a4032701012006215820\(zeros)"),
            cose("a key with a member twice", .key, "a501010101032720062158 20\(zeros)"),
            cose("a key with another member", .key, "a5010103270440200621 5820\(zeros)"),
            cose("a key with a long form of a number", .key, "a4011801032720062158 20\(zeros)"),
            cose("a key with a tag", .key, "c0a401010327200621 5820\(zeros)"),
            ForgedPasskey("a compressed point", .key) {
                $0.cose = Array($0.coseKey.dropLast(35)) + [0x22, 0xf5]
            },
            ForgedPasskey("a statement of none that says something", .statement) { $0.statement = bytes("a1616100") },
            ForgedPasskey("a statement that is no map", .attestation) { $0.statement = [0x80] },
            ForgedPasskey("a statement with a tag", .attestation) { $0.statement = [0xc0, 0xa0] },
            ForgedPasskey("a statement with a floating-point number", .attestation) {
                $0.statement = bytes("a16161f90000")
            },
            ForgedPasskey("a statement with a length beyond the end", .attestation) {
                $0.statement = bytes("a161615b7fffffffffffffff")
            },
            ForgedPasskey("a statement of 2^32 members", .attestation) { $0.statement = bytes("ba ffffffff") },
            ForgedPasskey("a statement of nine levels", .attestation) {
                $0.statement = bytes("a16161 81 81 81 81 81 81 81 00")
            },
            ForgedPasskey("a statement that is not UTF-8", .attestation) { $0.statement = bytes("a161ff00") },
            ForgedPasskey("a statement with a member twice", .attestation) { $0.statement = bytes("a2616100616101") },
            ForgedPasskey("self attestation without a signature", .statement) {
                $0.format = "packed"
                $0.statement = bytes("a163616c6726")
            },
            ForgedPasskey("self attestation of another algorithm", .statement) {
                $0.format = "packed"
                $0.statement = bytes("a263616c6727637369674100")
            },
            ForgedPasskey("self attestation with a wrong signature", .statement) {
                $0.format = "packed"
                let signature = $0.sign($0.data(isNew: true), Array("{}".utf8))
                $0.statement = bytes("a263616c672663736967") + TestAuthenticator.byteString(signature)
            },
        ]

    static let assertions: [ForgedPasskey] =
        both + [
            clientData("a registration as an assertion", .ceremony, "type", .string("webauthn.create")),
            ForgedPasskey("another passkey", .unknownCredential) { $0.answeredID = [1] },
            ForgedPasskey("no user handle", .userHandleMissing) { $0.handle = nil },
            ForgedPasskey("the user handle of another account", .userHandle) { $0.handle = [1] },
            ForgedPasskey("an empty user handle", .userHandle) { $0.handle = [] },
            ForgedPasskey("eligible for backup since", .backupChanged) { $0.flags |= 0x08 },
            ForgedPasskey("a new key that is missing", .authenticatorData) { $0.flags |= 0x40 },
            ForgedPasskey("a counter that went back", .counter) { $0.signCount = 3 },
            ForgedPasskey("a counter that stays", .counter) { $0.signCount = 4 },
            ForgedPasskey("a counter of zero", .counter) { $0.signCount = 0 },
            ForgedPasskey("no signature", .signature) { $0.resign = { _ in [] } },
            ForgedPasskey("a signature of another form", .signature) {
                $0.resign = { _ in [UInt8](repeating: 1, count: 64) }
            },
            ForgedPasskey("bytes after the signature", .signature) { $0.resign = { $0 + [0] } },
            ForgedPasskey("a signature with a changed byte", .signature) {
                $0.resign = { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
            },
        ]
}
