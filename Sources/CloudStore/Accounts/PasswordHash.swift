import CloudModel
import CloudCrypto
import Foundation

/// A password as it is kept: scrypt with its parameters and salt, in the usual `$scrypt$…` form.
struct PasswordHash: Hashable, Sendable {
    let text: String

    private static let blockSize = 8
    private static let parallelism = 1

    /// Hashes a new password.
    ///
    /// - Parameter cost: the power of two of scrypt's rounds.
    init(password: String, cost: Int) throws {
        let salt = Data(RandomText.bytes(16))
        let key = try Self.derive(password, salt: salt, cost: cost, blockSize: Self.blockSize, Self.parallelism)
        text =
            "$scrypt$ln=\(cost),r=\(Self.blockSize),p=\(Self.parallelism)"
            + "$\(salt.base64EncodedString())$\(key.base64EncodedString())"
    }

    init(stored text: String) {
        self.text = text
    }

    /// Returns true if this is the password, compared in constant time. A text that is no hash fits none.
    func fits(_ password: String) -> Bool {
        let parts = text.split(separator: "$")
        guard parts.count == 4, parts[0] == "scrypt", let salt = Data(base64Encoded: String(parts[2])),
            let expected = Data(base64Encoded: String(parts[3]))
        else { return false }
        let numbers = parts[1].split(separator: ",").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
        guard numbers.count == 3, (1...24).contains(numbers[0]),
            let key = try? Self.derive(password, salt: salt, cost: numbers[0], blockSize: numbers[1], numbers[2])
        else { return false }
        // Two keyed digests, because equality of digests is the comparison known to take constant time.
        let blind = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.authenticationCode(for: key, using: blind)
            == HMAC<SHA256>.authenticationCode(for: expected, using: blind)
    }

    private static func derive(
        _ password: String, salt: Data, cost: Int, blockSize: Int, _ parallelism: Int
    ) throws -> Data {
        // The same letters typed on different systems are the same password.
        let normal = Data(password.precomposedStringWithCompatibilityMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: normal, salt: salt, outputByteCount: 32, rounds: 1 << cost, blockSize: blockSize,
            parallelism: parallelism
        ).withUnsafeBytes { Data($0) }
    }
}
