package import Foundation

/// Message authentication codes by a shared key (RFC 2104).
package enum HMAC<Function: HashFunction> {
    package typealias MAC = Digest<Function>

    package static func authenticationCode(for data: some ContiguousBytes, using key: SymmetricKey) -> MAC {
        key.withUnsafeBytes { key in
            guard key.count > Function.blockByteCount else { return code(of: data, key) }
            return Function.hash(data: key).withUnsafeBytes { code(of: data, $0) }
        }
    }

    /// - Parameter key: at most one block long.
    private static func code(of data: some ContiguousBytes, _ key: UnsafeRawBufferPointer) -> MAC {
        var block = SIMD64<UInt8>()
        withUnsafeMutableBytes(of: &block) { $0.copyMemory(from: key) }
        var inner = begin(block ^ SIMD64(repeating: 0x36))
        inner.update(data: data)
        var outer = begin(block ^ SIMD64(repeating: 0x5c))
        outer.update(data: inner.finalize())
        return outer.finalize()
    }

    private static func begin(_ block: SIMD64<UInt8>) -> Function {
        var function = Function()
        withUnsafeBytes(of: block) {
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<Function.blockByteCount]))
        }
        return function
    }
}

/// Derives keys from a key (RFC 5869).
package enum HKDF<Function: HashFunction> {
    /// - Parameter outputByteCount: at most 255 digests.
    package static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: some ContiguousBytes, info: some ContiguousBytes = [UInt8](),
        outputByteCount: Int
    ) -> SymmetricKey {
        precondition((0...255 * Function.digestByteCount).contains(outputByteCount), "a key that is too long")
        let extracted = inputKeyMaterial.withUnsafeBytes {
            HMAC<Function>.authenticationCode(for: $0, using: SymmetricKey(data: salt))
        }
        let key = SymmetricKey(data: extracted)
        let info = info.withUnsafeBytes { Array($0) }
        var (output, last, number) = ([UInt8](), [UInt8](), UInt8(0))
        while output.count < outputByteCount {
            number += 1
            last = Array(HMAC<Function>.authenticationCode(for: last + info + [number], using: key))
            output += last
        }
        return SymmetricKey(data: Array(output.prefix(outputByteCount)))
    }
}
