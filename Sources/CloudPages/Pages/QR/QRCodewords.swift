/// A text's codewords in drawing order: the data and error correction of all blocks, interleaved.
enum QRCodewords {
    static func make(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        let blocks = split(data(bytes, version), version)
        let corrections = blocks.map { ReedSolomon.remainder(of: $0, count: version.correction) }
        return interleave(blocks) + interleave(corrections)
    }

    /// The text in byte mode, padded to the version's capacity.
    private static func data(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits = BitList()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version.countBits)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        bits.append(0, count: min(4, version.dataCodewords * 8 - bits.count))
        bits.append(0, count: (8 - bits.count % 8) % 8)
        var codewords = bits.bytes
        let padding: [UInt8] = [0xEC, 0x11]
        let missing = version.dataCodewords - codewords.count
        codewords += (0..<missing).map { padding[$0 % 2] }
        return codewords
    }

    /// Splits data into blocks of nearly equal length, shorter blocks first.
    private static func split(_ data: [UInt8], _ version: QRVersion) -> [[UInt8]] {
        let (length, longer) = data.count.quotientAndRemainder(dividingBy: version.blocks)
        var start = 0
        return (0..<version.blocks).map { index in
            let end = start + length + (index < version.blocks - longer ? 0 : 1)
            defer { start = end }
            return Array(data[start..<end])
        }
    }

    private static func interleave(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    }
}

/// A list of bits, most significant bit first.
private struct BitList {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ value: Int, count added: Int) {
        for bit in (0..<added).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}

/// Reed-Solomon error correction over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
private enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = divisor(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(divisor[index], factor) }
        }
        return remainder
    }

    /// The product of x − 2ⁿ for all n below a degree, without the leading coefficient 1.
    private static func divisor(_ degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree)
        coefficients[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7 == 1 ? 0x1D : 0)
            if second >> UInt8(bit) & 1 == 1 { product ^= first }
        }
        return product
    }
}
