import CloudCrypto

/// The public key of a passkey, in COSE (RFC 9052 §7, RFC 9053, RFC 8230).
package struct PasskeyKey: Sendable {
    /// COSE's numbers of algorithms.
    package enum Algorithm: Int64, CaseIterable, Sendable {
        case edDSA = -8
        case es256 = -7
        case rs256 = -257
    }

    private enum Material: Sendable {
        case ed25519(Ed25519PublicKey)
        case p256(P256.Signing.PublicKey)
        case rsa(RSAPublicKey)
    }

    package let algorithm: Algorithm
    /// The bytes of the COSE key, to be stored.
    package let bytes: [UInt8]
    private let material: Material

    /// Reads a stored key.
    package init(bytes: [UInt8]) throws(PasskeyFault) {
        let value: CBORValue
        do { value = try CBORReader.whole(bytes, isOrdered: true) } catch { throw .key }
        try self.init(value, bytes: bytes)
    }

    /// - Parameter bytes: the bytes that the value was read from.
    init(_ value: CBORValue, bytes: [UInt8]) throws(PasskeyFault) {
        guard let members = value.map, let type = members[1]?.integer, let number = members[3]?.integer else {
            throw .key
        }
        guard let algorithm = Algorithm(rawValue: number) else { throw .algorithm }
        let material: Material? =
            switch (algorithm, type) {
            case (.es256, 2): Self.p256(members)
            case (.edDSA, 1): Self.ed25519(members)
            case (.rs256, 3): Self.rsa(members)
            default: nil
            }
        guard let material else { throw .key }
        (self.algorithm, self.bytes, self.material) = (algorithm, bytes, material)
    }

    // WebAuthn §6.5.1: besides `alg`, a key has no optional parameters.

    private static func p256(_ members: CBORMap) -> Material? {
        guard members.count == 5, members[-1]?.integer == 1, let x = members[-2]?.bytes, let y = members[-3]?.bytes,
            x.count == 32, y.count == 32
        else { return nil }
        return (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)).map(Material.p256)
    }

    private static func ed25519(_ members: CBORMap) -> Material? {
        guard members.count == 4, members[-1]?.integer == 6, let x = members[-2]?.bytes else { return nil }
        return (try? Ed25519PublicKey(rawRepresentation: x)).map(Material.ed25519)
    }

    private static func rsa(_ members: CBORMap) -> Material? {
        guard members.count == 4, let modulus = members[-1]?.bytes, let exponent = members[-2]?.bytes else {
            return nil
        }
        return (try? RSAPublicKey(modulus: modulus, exponent: exponent)).map(Material.rsa)
    }

    /// - Parameter signature: DER for ES256 (WebAuthn §6.5.5).
    func isValidSignature(_ signature: [UInt8], for data: [UInt8]) -> Bool {
        switch material {
        case .ed25519(let key): return key.isValidSignature(signature, for: data)
        case .rsa(let key):
            return key.isValidSignature(signature, for: data, padding: .pkcs1, function: .sha256)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: data)
        }
    }
}
