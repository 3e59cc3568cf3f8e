import CCrypto

package typealias SHA256Digest = Digest<SHA256>

/// SHA-256 (FIPS 180-4).
package struct SHA256: HashFunction {
    package static var digestByteCount: Int { 32 }
    package static var blockByteCount: Int { 64 }

    private var state = ccrypto_sha256()

    package init() { ccrypto_sha256_begin(&state) }

    package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        ccrypto_sha256_update(&state, bufferPointer.baseAddress, bufferPointer.count)
    }

    package func finalize() -> SHA256Digest {
        var state = state
        return Digest { ccrypto_sha256_end(&state, $0) }
    }
}

/// Broken hash functions, for formats that require them.
package enum Insecure {
    /// SHA-1 (FIPS 180-4).
    package struct SHA1: HashFunction {
        package static var digestByteCount: Int { 20 }
        package static var blockByteCount: Int { 64 }

        private var state = ccrypto_sha1()

        package init() { ccrypto_sha1_begin(&state) }

        package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            ccrypto_sha1_update(&state, bufferPointer.baseAddress, bufferPointer.count)
        }

        package func finalize() -> Digest<SHA1> {
            var state = state
            return Digest { ccrypto_sha1_end(&state, $0) }
        }
    }
}
