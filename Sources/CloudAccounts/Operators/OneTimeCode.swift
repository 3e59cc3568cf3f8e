import CloudEngine
package import CloudModel
import CloudCrypto
import Foundation

/// Codes of an authenticator app: six digits computed from a shared secret and the time (RFC 6238). Uses SHA-1, because most
/// apps support no other digest.
package struct OneTimeCode: Hashable, Sendable {
    /// The lifetime of a code, in seconds.
    private static let step: Int64 = 30
    private static let digits = 6
    /// The size of a secret in bytes, as RFC 4226 §4 recommends.
    private static let secretBytes = 20

    package let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = secret }

    /// A new secret.
    package static func make() -> OneTimeCode { OneTimeCode(secret: RandomText.bytes(secretBytes)) }

    /// The secret in Base32, for authenticator apps.
    package var text: String { Base32.encode(secret) }

    /// The time step of the code at `time`.
    package static func step(at time: Timestamp) -> Int64 { Int64(time.date.timeIntervalSince1970) / step }

    package func code(step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        // SHA-1's collisions do not matter to HMAC (RFC 6238 §1.2).
        let digest = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        let start = Int(digest[digest.count - 1] & 0xF)
        let number = digest[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// The time step of an entered code: the previous, current or next step; nil for a wrong code.
    ///
    /// - Parameter last: the step of the last used code; codes of this step and earlier steps are refused.
    package func step(of text: String, at time: Timestamp, after last: Int64) -> Int64? {
        let (typed, now) = (Array(text.utf8), Self.step(at: time))
        var found: Int64?
        for step in (now - 1)...(now + 1) where step > last {
            let code = Array(self.code(step: step).utf8)
            let difference = zip(code, typed).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if typed.count == code.count, difference == 0 { found = step }
        }
        return found
    }
}

/// Base32 (RFC 4648 §6) without padding, whose letters and digits are not mistaken for each other.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var (text, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> bits & 31)])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
