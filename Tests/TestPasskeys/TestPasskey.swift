import CloudCrypto
import CloudModel

/// A passkey on an authenticator, with answers as a browser's `toJSON()` gives them.
package struct TestPasskey {
    private let key = P256.Signing.PrivateKey()
    package var id: [UInt8]
    package var relyingParty = "localhost"
    package var origin = "http://localhost"
    /// User present, user verified.
    package var flags: UInt8 = 0x05
    package var signCount: UInt32 = 0
    package var userHandle: [UInt8] = []

    package init(id: UInt8 = 9) { self.id = [UInt8](repeating: id, count: 16) }

    /// - Parameter challenge: as the options have it.
    package func registration(_ challenge: String) -> String {
        let point = Array(key.publicKey.x963Representation)
        var cose: [UInt8] = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]
        cose += point[1..<33]
        cose += [0x22, 0x58, 0x20] as [UInt8]
        cose += point[33...]
        var data = head(flags | 0x40)
        data += [UInt8](repeating: 0, count: 16)
        data += [0, UInt8(id.count)] as [UInt8]
        data += id
        data += cose
        var attestation: [UInt8] = [0xa3, 0x63]
        attestation += Array("fmt".utf8)
        attestation += [0x64] as [UInt8]
        attestation += Array("none".utf8)
        attestation += [0x67] as [UInt8]
        attestation += Array("attStmt".utf8)
        attestation += [0xa0, 0x68] as [UInt8]
        attestation += Array("authData".utf8)
        attestation += [0x58, UInt8(data.count)] as [UInt8]
        attestation += data
        return answer(
            "\"clientDataJSON\":\"\(Base64URL.encode(clientData("webauthn.create", challenge)))\","
                + "\"attestationObject\":\"\(Base64URL.encode(attestation))\",\"transports\":[\"internal\"]")
    }

    package func assertion(_ challenge: String) -> String {
        let (data, clientData) = (head(flags), clientData("webauthn.get", challenge))
        let signature = Array(key.signature(for: data + SHA256.hash(data: clientData)).derRepresentation)
        return answer(
            "\"clientDataJSON\":\"\(Base64URL.encode(clientData))\","
                + "\"authenticatorData\":\"\(Base64URL.encode(data))\",\"signature\":\"\(Base64URL.encode(signature))\","
                + "\"userHandle\":\"\(Base64URL.encode(userHandle))\"")
    }

    private func head(_ flags: UInt8) -> [UInt8] {
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        return Array(SHA256.hash(data: Array(relyingParty.utf8))) + [flags] + counter
    }

    private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        Array(
            "{\"type\":\"\(type)\",\"challenge\":\"\(challenge)\",\"origin\":\"\(origin)\",\"crossOrigin\":false}".utf8)
    }

    private func answer(_ response: String) -> String {
        let id = Base64URL.encode(id)
        return "{\"type\":\"public-key\",\"id\":\"\(id)\",\"rawId\":\"\(id)\",\"response\":{\(response)}}"
    }
}
