import CCrypto
package import Foundation

/// The curve P-256 of NIST, also called secp256r1 and prime256v1.
package enum P256 {
    /// ECDSA with SHA-256.
    package enum Signing {
        /// The bytes encode no point of the curve.
        package struct MalformedKey: Error {}
        /// The bytes encode no signature.
        package struct MalformedSignature: Error {}
    }
}

extension P256.Signing {
    /// Owns a libcrypto key and frees it on deinit.
    fileprivate final class Handle: @unchecked Sendable {
        // Immutable; libcrypto permits sharing a key between threads.
        let key: OpaquePointer

        init(_ key: OpaquePointer) { self.key = key }
        deinit { ccrypto_p256_free(key) }
    }

    package struct PublicKey: Sendable {
        private let handle: Handle

        fileprivate init(_ handle: Handle) { self.handle = handle }

        /// - Parameter bytes: a point of the curve in X9.63 encoding, compressed or uncompressed.
        /// - Throws: ``MalformedKey``.
        package init(x963Representation bytes: some ContiguousBytes) throws {
            guard let key = bytes.withUnsafeBytes({ ccrypto_p256_read($0.baseAddress, $0.count) }) else {
                throw MalformedKey()
            }
            handle = Handle(key)
        }

        /// The uncompressed point.
        package var x963Representation: [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 65)
            precondition(ccrypto_p256_point(handle.key, &bytes), "memory is short")
            return bytes
        }

        /// Returns true if the signature of the data is valid under this key.
        package func isValidSignature(_ signature: ECDSASignature, for data: some ContiguousBytes) -> Bool {
            SHA256.hash(data: data).withUnsafeBytes { digest in
                ccrypto_p256_verify(handle.key, digest.baseAddress, signature.rawRepresentation)
            }
        }
    }

    package struct PrivateKey: Sendable {
        private let handle: Handle

        /// Generates a key.
        package init() {
            guard let key = ccrypto_p256_make() else { preconditionFailure("the system gives no random bytes") }
            handle = Handle(key)
        }

        /// - Parameter der: a PrivateKeyInfo (RFC 5958) that names the curve, without trailing bytes.
        /// - Throws: ``MalformedKey``.
        package init(derRepresentation der: some ContiguousBytes) throws {
            guard let key = der.withUnsafeBytes({ ccrypto_p256_read_private($0.baseAddress, $0.count) }) else {
                throw MalformedKey()
            }
            handle = Handle(key)
        }

        package var publicKey: PublicKey { PublicKey(handle) }

        package func signature(for data: some ContiguousBytes) -> ECDSASignature {
            var bytes = [UInt8](repeating: 0, count: ECDSASignature.byteCount)
            let isSigned = SHA256.hash(data: data).withUnsafeBytes { digest in
                ccrypto_p256_sign(handle.key, digest.baseAddress, &bytes)
            }
            precondition(isSigned, "the system gives no random bytes")
            return ECDSASignature(bytes)
        }
    }

    package struct ECDSASignature: Sendable {
        fileprivate static let byteCount = 64

        /// r and s, 32 bytes each.
        package let rawRepresentation: [UInt8]

        fileprivate init(_ bytes: [UInt8]) { rawRepresentation = bytes }

        /// - Parameter bytes: r and s, 32 bytes each.
        /// - Throws: ``MalformedSignature``.
        package init(rawRepresentation bytes: some ContiguousBytes) throws {
            let bytes = bytes.withUnsafeBytes { Array($0) }
            guard bytes.count == Self.byteCount else { throw MalformedSignature() }
            rawRepresentation = bytes
        }

        /// - Parameter bytes: a DER sequence of r and s, without trailing bytes.
        /// - Throws: ``MalformedSignature``.
        package init(derRepresentation bytes: some ContiguousBytes) throws {
            var raw = [UInt8](repeating: 0, count: Self.byteCount)
            let isRead = bytes.withUnsafeBytes { ccrypto_signature_read($0.baseAddress, $0.count, &raw) }
            guard isRead else { throw MalformedSignature() }
            rawRepresentation = raw
        }

        package var derRepresentation: Data {
            var bytes = [UInt8](repeating: 0, count: 72)
            let count = ccrypto_signature_write(rawRepresentation, &bytes)
            precondition(count > 0, "memory is short")
            return Data(bytes.prefix(count))
        }
    }
}
