import CCrypto
package import Foundation

/// Derives keys from passwords.
package enum KDF {
    /// scrypt (RFC 7914). Needs `128 * rounds * blockSize` bytes of memory during a derivation.
    package enum Scrypt {
        /// The parameters are invalid for scrypt or need too much memory.
        package struct Fault: Error {}

        /// Memory limit per derivation, in bytes.
        private static let mostMemory: UInt64 = 2 << 30

        /// - Parameter rounds: a power of two above 1.
        /// - Throws: ``Fault``.
        package static func deriveKey(
            from password: some ContiguousBytes, salt: some ContiguousBytes, outputByteCount: Int, rounds: Int,
            blockSize: Int, parallelism: Int
        ) throws -> SymmetricKey {
            guard let rounds = UInt64(exactly: rounds), let blockSize = UInt64(exactly: blockSize),
                let parallelism = UInt64(exactly: parallelism), outputByteCount > 0
            else { throw Fault() }
            var key = [UInt8](repeating: 0, count: outputByteCount)
            let isDone = password.withUnsafeBytes { password in
                salt.withUnsafeBytes { salt in
                    ccrypto_scrypt(
                        password.baseAddress, password.count, salt.baseAddress, salt.count, rounds, blockSize,
                        parallelism, mostMemory, &key, key.count)
                }
            }
            guard isDone else { throw Fault() }
            return SymmetricKey(data: key)
        }
    }
}
