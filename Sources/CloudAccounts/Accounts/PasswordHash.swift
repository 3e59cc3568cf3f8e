import CloudEngine
import CloudModel
import CloudCrypto
import Foundation

/// A stored password: a scrypt hash with parameters and salt, in the usual `$scrypt$…` form.
package struct PasswordHash: Hashable, Sendable {
    package let text: String

    private static let blockSize = 8
    private static let parallelism = 1

    /// Hashes a new password.
    ///
    /// - Parameter cost: scrypt's cost as a power of two.
    init(password: String, cost: Int) throws {
        let salt = Data(RandomText.bytes(16))
        let key = try Self.derive(password, salt: salt, cost: cost, blockSize: Self.blockSize, Self.parallelism)
        text =
            "$scrypt$ln=\(cost),r=\(Self.blockSize),p=\(Self.parallelism)"
            + "$\(salt.base64EncodedString())$\(key.base64EncodedString())"
    }

    package init(stored text: String) {
        self.text = text
    }

    /// Returns true if the password matches, compared in constant time; false for a malformed hash.
    func fits(_ password: String) -> Bool {
        let parts = text.split(separator: "$")
        guard parts.count == 4, parts[0] == "scrypt", let salt = Data(base64Encoded: String(parts[2])),
            let expected = Data(base64Encoded: String(parts[3]))
        else { return false }
        let numbers = parts[1].split(separator: ",").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
        guard numbers.count == 3, (1...24).contains(numbers[0]),
            let key = try? Self.derive(password, salt: salt, cost: numbers[0], blockSize: numbers[1], numbers[2])
        else { return false }
        // Compares keyed digests, because digest equality is known to take constant time.
        let blind = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.authenticationCode(for: key, using: blind)
            == HMAC<SHA256>.authenticationCode(for: expected, using: blind)
    }

    private static func derive(
        _ password: String, salt: Data, cost: Int, blockSize: Int, _ parallelism: Int
    ) throws -> Data {
        // Normalizes the password, because systems encode the same letters differently.
        let normal = Data(password.precomposedStringWithCompatibilityMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: normal, salt: salt, outputByteCount: 32, rounds: 1 << cost, blockSize: blockSize,
            parallelism: parallelism
        ).withUnsafeBytes { Data($0) }
    }
}
