import CumulusKit

/// Random numbers that a seed repeats, and how often things go wrong.
final class Chance: Sendable {
    private let state: Mutex<(seed: UInt64, faults: Double)>

    init(seed: UInt64) { state = Mutex((seed &* 0x9E37_79B9_7F4A_7C15, 0)) }

    var faults: Double {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// SplitMix64.
    func next() -> UInt64 {
        state.withLock { state in
            state.seed &+= 0x9E37_79B9_7F4A_7C15
            var z = state.seed
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    func roll() -> Double { Double(next() >> 11) / Double(1 << 53) }
    func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
    func pick<T>(_ items: [T]) -> T? { items.isEmpty ? nil : items[number(below: items.count)] }
}
