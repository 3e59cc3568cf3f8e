/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The file with one to six changes behind its signature: values, lengths, cuts, repetitions.
    mutating func mutated(_ file: [UInt8]) -> [UInt8] {
        var bytes = file
        for _ in 0..<Int.random(in: 1...6, using: &self) where bytes.count > 20 {
            let at = Int.random(in: 12..<bytes.count, using: &self)
            switch Int.random(in: 0..<8, using: &self) {
            case 0, 1: bytes[at] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 3, 4:
                let values = [0, 1, 7, 8, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x8000_0000, bytes.count, at]
                overwrite(&bytes, at, Bytes.big(values.randomElement(using: &self) ?? 0, 4))
            case 5: bytes.removeSubrange(at..<min(at + Int.random(in: 1...16, using: &self), bytes.count))
            case 6:
                let end = min(at + Int.random(in: 1...64, using: &self), bytes.count)
                bytes.insert(contentsOf: Array(bytes[at..<end]), at: at)
            default: if Int.random(in: 0..<4, using: &self) == 0 { bytes.removeLast(bytes.count - at) }
            }
        }
        return bytes
    }

    private func overwrite(_ bytes: inout [UInt8], _ at: Int, _ value: [UInt8]) {
        for (offset, byte) in value.enumerated() where at + offset < bytes.count { bytes[at + offset] = byte }
    }
}
