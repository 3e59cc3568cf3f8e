/// A QR code size, with its capacity at error correction level M.
struct QRVersion {
    /// 1 to 40.
    let number: Int

    var size: Int { 17 + 4 * number }

    /// The error correction codewords per block, and the number of blocks (table 9 of the standard).
    var correction: Int { Self.corrections[number - 1] }
    var blocks: Int { Self.blockCounts[number - 1] }

    /// The number of data codewords.
    var dataCodewords: Int { modulesOfData / 8 - correction * blocks }

    /// The number of data and error correction codewords.
    var codewords: Int { modulesOfData / 8 }

    /// The width of the byte count field in bits.
    var countBits: Int { number < 10 ? 8 : 16 }

    /// The row and column positions of alignment pattern centres.
    var alignments: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    /// The number of modules outside patterns and format information.
    private var modulesOfData: Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
        }
        return number < 7 ? modules : modules - 36
    }

    /// The smallest version for a number of bytes; nil if the largest is too small.
    static func smallest(for bytes: Int) -> QRVersion? {
        (1...40).lazy.map(QRVersion.init).first { 4 + $0.countBits + 8 * bytes <= 8 * $0.dataCodewords }
    }

    private static let corrections = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let blockCounts = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31,
        33,
        35, 37, 38, 40, 43, 45, 47, 49,
    ]
}
