import CCrypto
package import Foundation

/// The bytes encode no key, or a key that is too weak or too large.
package struct MalformedKey: Error {}

/// Owns a libcrypto key and frees it on deinit.
private final class Handle: @unchecked Sendable {
    // Immutable; libcrypto permits sharing a key between threads.
    let key: OpaquePointer

    init(_ key: OpaquePointer?) throws(MalformedKey) {
        guard let key else { throw MalformedKey() }
        self.key = key
    }

    deinit { ccrypto_key_free(key) }
}

/// A public RSA key (RFC 8017) of 2,048 to 8,192 bits.
package struct RSAPublicKey: Sendable {
    package enum Padding: Sendable {
        case pkcs1
        /// A salt as long as the digest.
        case pss
    }

    package enum Function: String, Sendable {
        case sha256 = "SHA256"
        case sha384 = "SHA384"
        case sha512 = "SHA512"
    }

    private let handle: Handle

    /// - Parameters: big-endian numbers without leading zeros; the exponent is odd, above 1 and below 2^32.
    /// - Throws: ``MalformedKey``.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(MalformedKey) {
        handle = try Handle(ccrypto_rsa_read(modulus, modulus.count, exponent, exponent.count))
    }

    /// Returns true if the signature of the data is valid under this key.
    package func isValidSignature(
        _ signature: [UInt8], for data: some ContiguousBytes, padding: Padding, function: Function
    ) -> Bool {
        data.withUnsafeBytes {
            ccrypto_rsa_verify(
                handle.key, function.rawValue, padding == .pss, $0.baseAddress, $0.count, signature, signature.count)
        }
    }
}

/// A public key of the curve P-384, for ECDSA with SHA-384.
package struct P384PublicKey: Sendable {
    private let handle: Handle

    /// - Parameter bytes: an uncompressed point of the curve in X9.63 encoding.
    /// - Throws: ``MalformedKey``.
    package init(x963Representation bytes: [UInt8]) throws(MalformedKey) {
        handle = try Handle(ccrypto_p384_read(bytes, bytes.count))
    }

    /// - Parameter signature: r and s, 48 bytes each; another length is invalid.
    package func isValidSignature(_ signature: [UInt8], for data: some ContiguousBytes) -> Bool {
        guard signature.count == 96 else { return false }
        return data.withUnsafeBytes { ccrypto_p384_verify(handle.key, $0.baseAddress, $0.count, signature) }
    }
}

/// A public key for Ed25519 (RFC 8032).
package struct Ed25519PublicKey: Sendable {
    private let handle: Handle

    /// - Parameter bytes: 32 bytes.
    /// - Throws: ``MalformedKey``.
    package init(rawRepresentation bytes: [UInt8]) throws(MalformedKey) {
        handle = try Handle(ccrypto_ed25519_read(bytes, bytes.count))
    }

    /// - Parameter signature: 64 bytes; another length is invalid.
    package func isValidSignature(_ signature: [UInt8], for data: some ContiguousBytes) -> Bool {
        guard signature.count == 64 else { return false }
        return data.withUnsafeBytes { ccrypto_ed25519_verify(handle.key, $0.baseAddress, $0.count, signature) }
    }
}
