import CloudCrypto
import CloudModel

/// A provider's public key (RFC 7517, RFC 7518 §6, RFC 8037).
package struct JSONWebKey: Sendable {
    /// The reason why a key of a set is not used.
    package enum Fault: String, Error, CaseIterable, Sendable {
        case type = "the key is of a type that Cumulus does not know"
        case secret = "the key is a shared secret"
        case isPrivate = "the set publishes a private key"
        case member = "a member of the key is missing, or has another type than it must have"
        case weak = "the RSA key has fewer than 2,048 bits, more than 8,192, or a bad exponent"
        case point = "the key is no point of its curve"
        case repeated = "the set has the same key twice"
    }

    enum Material: Sendable {
        case rsa(RSAPublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384PublicKey)
        case ed25519(Ed25519PublicKey)
    }

    package let id: String?
    /// The algorithm that the provider restricts the key to, as it is spelled.
    package let algorithm: String?
    /// False for a key whose `use` or `key_ops` name something else.
    package let isForSignatures: Bool
    /// The issuer that alone may use the key, at Microsoft with `{tenantid}`.
    package let issuer: String?
    let material: Material
    /// The members that make the key.
    let identity: [String]
}

extension JSONWebKey {
    init(_ object: JSONObject) throws(Fault) {
        id = try Self.text("kid", of: object)
        algorithm = try Self.text("alg", of: object)
        issuer = try Self.text("issuer", of: object)
        isForSignatures = try Self.isForSignatures(object)
        guard let type = try Self.text("kty", of: object) else { throw .member }
        guard type != "oct" else { throw .secret }
        guard !object.contains("d") else { throw .isPrivate }
        switch type {
        case "RSA": (material, identity) = try Self.rsa(object)
        case "EC": (material, identity) = try Self.curve(object)
        case "OKP": (material, identity) = try Self.edwards(object)
        default: throw .type
        }
    }

    private static func isForSignatures(_ object: JSONObject) throws(Fault) -> Bool {
        if let use = try text("use", of: object), use != "sig" { return false }
        guard object.contains("key_ops") else { return true }
        guard let operations = object["key_ops"]?.array else { throw .member }
        return operations.contains(.string("verify"))
    }

    private static func rsa(_ object: JSONObject) throws(Fault) -> (Material, [String]) {
        let (modulus, exponent) = (try number("n", of: object), try number("e", of: object))
        do {
            return (
                .rsa(try RSAPublicKey(modulus: modulus.bytes, exponent: exponent.bytes)),
                ["RSA", modulus.text, exponent.text]
            )
        } catch { throw .weak }
    }

    private static func curve(_ object: JSONObject) throws(Fault) -> (Material, [String]) {
        guard let name = try text("crv", of: object) else { throw .member }
        let size = name == "P-256" ? 32 : name == "P-384" ? 48 : 0
        guard size > 0 else { throw .type }
        let (x, y) = (try number("x", of: object), try number("y", of: object))
        guard x.bytes.count == size, y.bytes.count == size else { throw .point }
        let point = [4] + x.bytes + y.bytes
        do {
            let material: Material =
                size == 32
                ? .p256(try P256.Signing.PublicKey(x963Representation: point))
                : .p384(try P384PublicKey(x963Representation: point))
            return (material, [name, x.text, y.text])
        } catch { throw .point }
    }

    private static func edwards(_ object: JSONObject) throws(Fault) -> (Material, [String]) {
        guard let name = try text("crv", of: object) else { throw .member }
        guard name == "Ed25519" else { throw .type }
        let x = try number("x", of: object)
        do { return (.ed25519(try Ed25519PublicKey(rawRepresentation: x.bytes)), [name, x.text]) } catch {
            throw .point
        }
    }

    private static func text(_ name: String, of object: JSONObject) throws(Fault) -> String? {
        guard object.contains(name) else { return nil }
        guard let text = object[name]?.string else { throw .member }
        return text
    }

    private static func number(_ name: String, of object: JSONObject) throws(Fault) -> (bytes: [UInt8], text: String) {
        guard let text = try text(name, of: object), let bytes = Base64URL.decode(text) else { throw .member }
        return (bytes, text)
    }
}

extension JSONWebKey {
    /// Returns true if the key is of the algorithm's type and not restricted to another algorithm.
    func fits(_ wanted: SignatureAlgorithm) -> Bool {
        if let algorithm, !algorithm.isExactly(wanted.rawValue) { return false }
        switch (material, wanted) {
        case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512), (.rsa, .ps256), (.rsa, .ps384), (.rsa, .ps512),
            (.p256, .es256), (.p384, .es384), (.ed25519, .edDSA):
            return true
        default: return false
        }
    }

    func isValidSignature(_ signature: [UInt8], for bytes: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        guard fits(algorithm) else { return false }
        switch material {
        case .rsa(let key):
            let (padding, function) = algorithm.rsaParameters
            return key.isValidSignature(signature, for: bytes, padding: padding, function: function)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .p384(let key): return key.isValidSignature(signature, for: bytes)
        case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
        }
    }
}

extension SignatureAlgorithm {
    fileprivate var rsaParameters: (RSAPublicKey.Padding, RSAPublicKey.Function) {
        let padding: RSAPublicKey.Padding = [.ps256, .ps384, .ps512].contains(self) ? .pss : .pkcs1
        switch self {
        case .rs384, .ps384: return (padding, .sha384)
        case .rs512, .ps512: return (padding, .sha512)
        default: return (padding, .sha256)
        }
    }
}
