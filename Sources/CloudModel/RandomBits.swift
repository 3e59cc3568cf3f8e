import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Random bits from the system, fetched in blocks of 256 bytes: a system call for each word shows in a busy server.
///
/// A development server can draw them from a seed, for repeatable runs.
package enum RandomBits {
    /// The purpose of random bits. A seeded server keeps a separate sequence per purpose, so draws for one do not shift
    /// another.
    package enum Use: CaseIterable, Sendable {
        /// Names of records, subscriptions, shares and people.
        case names
        /// Tokens, codes and keys.
        case secrets
        /// Identities of databases and sync tokens.
        case stores
        /// Values that tests never observe.
        case others
    }

    private struct Source {
        private var words = SIMD32<UInt64>(repeating: 0)
        private var left = 0
        var rows: [Use: SeededRandom] = [:]

        mutating func next(_ use: Use) -> UInt64 {
            if !rows.isEmpty, let word = rows[use]?.next() { return word }
            if left == 0 {
                // 256 bytes: the largest request that getentropy accepts, and always serves.
                let code = withUnsafeMutableBytes(of: &words) { getentropy($0.baseAddress!, $0.count) }
                precondition(code == 0, "the system gives no random bits")
                left = words.scalarCount
            }
            left -= 1
            defer { words[left] = 0 }
            return words[left]
        }
    }

    private static let source = Mutex(Source())

    /// Seeds all further random bits of this process. The seed reveals every secret.
    package static func seed(_ seed: UInt64) {
        source.withLock { source in
            var mixer = SeededRandom(seed: seed)
            for use in Use.allCases { source.rows[use] = SeededRandom(seed: mixer.next()) }
        }
    }

    package static func next(_ use: Use) -> UInt64 { source.withLock { $0.next(use) } }

    package static func pair(_ use: Use) -> (UInt64, UInt64) { source.withLock { ($0.next(use), $0.next(use)) } }

    package static func bytes(_ count: Int, _ use: Use) -> [UInt8] {
        source.withLock { source in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 7)
            while bytes.count < count {
                withUnsafeBytes(of: source.next(use).littleEndian) { bytes.append(contentsOf: $0) }
            }
            return Array(bytes.prefix(count))
        }
    }

    /// Adapts the bits to Swift's random functions.
    package struct Generator: RandomNumberGenerator {
        private let use: Use

        package init(_ use: Use) { self.use = use }

        package func next() -> UInt64 { RandomBits.next(use) }
    }
}

/// A deterministic sequence of random numbers from a seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
