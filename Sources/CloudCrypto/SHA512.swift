import CCrypto
package import Foundation

/// SHA-384 (FIPS 180-4).
package enum SHA384 {
    /// The 48 bytes of a message's digest.
    package static func hash(data: some ContiguousBytes) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 48)
        let isDone = data.withUnsafeBytes { ccrypto_sha384($0.baseAddress, $0.count, &digest) }
        precondition(isDone, "memory is short")
        return digest
    }
}

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    /// The 64 bytes of a message's digest.
    package static func hash(data: some ContiguousBytes) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        let isDone = data.withUnsafeBytes { ccrypto_sha512($0.baseAddress, $0.count, &digest) }
        precondition(isDone, "memory is short")
        return digest
    }
}
