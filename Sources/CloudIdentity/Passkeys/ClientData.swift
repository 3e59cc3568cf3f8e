import CloudCrypto
import CloudModel

/// What the browser says of a ceremony (WebAuthn §5.8.1).
struct ClientData {
    enum Ceremony: String {
        case registration = "webauthn.create"
        case assertion = "webauthn.get"
    }

    private static let longest = 8 * 1024

    private let object: JSONObject
    /// The SHA-256 of the bytes, which the authenticator signs.
    let digest: [UInt8]

    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        guard bytes.count <= Self.longest else { throw .size }
        do { object = try StrictJSON.object(bytes) } catch { throw .clientData }
        digest = Array(SHA256.hash(data: bytes))
    }

    func check(_ ceremony: Ceremony, challenge: [UInt8], relyingParty: RelyingParty) throws(PasskeyFault) {
        guard object["type"]?.string?.isExactly(ceremony.rawValue) == true else { throw .ceremony }
        guard let told = object["challenge"]?.string, !challenge.isEmpty,
            told.isSecretly(Base64URL.encode(challenge))
        else { throw .challenge }
        guard let origin = object["origin"]?.string, relyingParty.origins.containsExactly(origin) else { throw .origin }
        let isAlone = !object.contains("crossOrigin") || object["crossOrigin"] == .bool(false)
        guard isAlone, !object.contains("topOrigin") else { throw .crossOrigin }
    }
}
