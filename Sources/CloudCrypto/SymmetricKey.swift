package import Foundation

/// A shared secret. Comparing keys of equal length takes constant time.
package struct SymmetricKey: Equatable, Sendable, ContiguousBytes {
    package enum Size {
        case bits256

        var bytes: Int { 32 }
    }

    private let bytes: [UInt8]

    package init(data: some ContiguousBytes) { bytes = data.withUnsafeBytes { Array($0) } }

    /// Generates a key from the system's random bytes.
    package init(size: Size) {
        var random = SystemRandomNumberGenerator()
        bytes = (0..<size.bytes).map { _ in random.next() }
    }

    package static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        left.bytes.count == right.bytes.count && zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}
