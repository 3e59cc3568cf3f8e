package import CloudModel
import Foundation

/// Unguessable bytes and texts.
package enum RandomText {
    package static func bytes(_ count: Int) -> [UInt8] { RandomBits.bytes(count, .secrets) }

    /// Lower-case hex of `count` random bytes.
    package static func hex(bytes count: Int, _ use: RandomBits.Use = .secrets) -> String {
        hex(RandomBits.bytes(count, use))
    }

    /// Bytes in lower-case hex.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Standard base64 of `count` random bytes.
    package static func base64(bytes count: Int) -> String {
        Data(bytes(count)).base64EncodedString()
    }

    /// A user record name: `_` and 32 hex digits (reference B §5.0).
    package static func userRecordName() -> String { "_" + hex(bytes: 16, .names) }
}
