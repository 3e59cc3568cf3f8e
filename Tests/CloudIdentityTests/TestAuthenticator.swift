import CloudCrypto
import CloudIdentity
import CloudModel

/// An authenticator whose answers can be changed in each part.
struct TestAuthenticator {
    static let site = "example.org"
    static let origin = "https://example.org"
    static let challenge = [UInt8](0..<32)
    static let handle = [UInt8](repeating: 7, count: 32)

    let key = P256.Signing.PrivateKey()
    var id = [UInt8](repeating: 9, count: 16)
    var site = TestAuthenticator.site
    /// User present, user verified.
    var flags: UInt8 = 0x05
    var signCount: UInt32 = 0
    var format = "none"
    var statement: [UInt8] = [0xa0]
    /// Bytes after the authenticator data.
    var trailing: [UInt8] = []
    /// In place of the COSE key of ``key``.
    var cose: [UInt8]?
    var clientData: [(String, JSONValue?)] = []
    var handle: [UInt8]? = TestAuthenticator.handle
    var answeredID: [UInt8]?
    /// Changes a signature.
    var resign: (@Sendable ([UInt8]) -> [UInt8])?

    static func rules(_ change: (inout PasskeyRules) -> Void = { _ in }) throws -> PasskeyRules {
        var rules = PasskeyRules(relyingParty: try RelyingParty(origin: origin))
        change(&rules)
        return rules
    }

    var coseKey: [UInt8] {
        let point = key.publicKey.x963Representation
        return cose ?? bytes("a5010203262001215820") + point[1..<33] + bytes("225820") + point[33...]
    }

    /// The authenticator data; with the new key if `isNew`.
    func data(isNew: Bool) -> [UInt8] {
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        let head = Array(SHA256.hash(data: Array(site.utf8))) + [flags] + counter
        guard isNew, flags & 0x40 != 0 else { return head + trailing }
        let length = [UInt8(id.count >> 8), UInt8(id.count & 255)]
        return head + [UInt8](repeating: 0, count: 16) + length + id + coseKey + trailing
    }

    func clientDataJSON(_ type: String) -> [UInt8] {
        var object = TestProvider.object([
            "type": .string(type), "challenge": .string(Base64URL.encode(Self.challenge)),
            "origin": .string(Self.origin), "crossOrigin": .bool(false),
        ])
        for (name, value) in clientData {
            object = JSONObject(object.members.filter { $0.key != name })
            if let value { object.set(name, value) }
        }
        return Array(json(.object(object)).utf8)
    }

    func register() -> RegistrationAnswer {
        var authenticator = self
        authenticator.flags |= 0x40
        return authenticator.registerAsSaid()
    }

    /// A registration whose flags are exactly the ones that were set.
    func registerAsSaid() -> RegistrationAnswer {
        let data = data(isNew: true)
        return RegistrationAnswer(
            id: answeredID ?? id, clientData: clientDataJSON("webauthn.create"),
            attestationObject: Self.attestation(format, statement, data))
    }

    static func attestation(_ format: String, _ statement: [UInt8], _ data: [UInt8]) -> [UInt8] {
        bytes("a363666d74") + text(format) + bytes("6761747453746d74") + statement + bytes("686175746844617461")
            + byteString(data)
    }

    static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }

    static func byteString(_ bytes: [UInt8]) -> [UInt8] {
        switch bytes.count {
        case ..<24: [0x40 | UInt8(bytes.count)] + bytes
        case ..<256: [0x58, UInt8(bytes.count)] + bytes
        default: [0x59, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
        }
    }

    func sign(_ data: [UInt8], _ clientData: [UInt8]) -> [UInt8] {
        let signature = Array(key.signature(for: data + SHA256.hash(data: clientData)).derRepresentation)
        return resign?(signature) ?? signature
    }

    func use() -> AssertionAnswer {
        let (data, clientData) = (data(isNew: false), clientDataJSON("webauthn.get"))
        return AssertionAnswer(
            id: answeredID ?? id, clientData: clientData, authenticatorData: data, signature: sign(data, clientData),
            userHandle: handle)
    }

    /// The passkey as it was registered.
    func stored(signCount: UInt32 = 0, isBackupEligible: Bool = false) throws -> StoredPasskey {
        StoredPasskey(
            id: id, key: try PasskeyKey(bytes: coseKey), signCount: signCount, isBackupEligible: isBackupEligible,
            userHandle: Self.handle)
    }
}
