/// The module grid of a QR code under construction.
struct QRCanvas {
    let version: QRVersion
    private(set) var modules: [Bool]
    /// The modules of patterns and of format and version information.
    private var isFixed: [Bool]

    private var size: Int { version.size }

    /// A code with patterns but without data.
    init(_ version: QRVersion) {
        self.version = version
        modules = [Bool](repeating: false, count: version.size * version.size)
        isFixed = modules
        drawTiming()
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        drawAlignments()
        if version.number >= 7 { drawVersion() }
        // Reserves the format modules, whose content depends on the mask.
        drawFormat(0)
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    private mutating func drawTiming() {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
    }

    /// A finder pattern around a centre, with its light border.
    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for dy in -4...4 {
            for dx in -4...4 where (0..<size).contains(row + dy) && (0..<size).contains(column + dx) {
                let distance = max(abs(dx), abs(dy))
                set(row + dy, column + dx, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignments() {
        let centres = version.alignments
        guard let last = centres.last else { return }
        for row in centres {
            for column in centres where ![(6, 6), (6, last), (last, 6)].contains(where: { $0 == (row, column) }) {
                for dy in -2...2 {
                    for dx in -2...2 { set(row + dy, column + dx, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
    }

    /// The version number, in two places.
    private mutating func drawVersion() {
        let bits = version.number << 12 | Self.remainder(version.number, 12, 0x1F25)
        for index in 0..<18 {
            let (near, far) = (index / 3, size - 11 + index % 3)
            let isDark = bits >> index & 1 == 1
            set(near, far, isDark)
            set(far, near, isDark)
        }
    }

    /// The error correction level and the mask, in two places.
    private mutating func drawFormat(_ mask: Int) {
        // The bits 00 stand for level M.
        let bits = (mask << 10 | Self.remainder(mask, 10, 0x537)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            set(index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, 8, isDark)
            set(8, index < 8 ? size - 1 - index : index == 8 ? 7 : 14 - index, isDark)
        }
        set(size - 8, 8, true)
    }

    /// The remainder of a value times xⁿ modulo a polynomial of degree n.
    private static func remainder(_ value: Int, _ degree: Int, _ polynomial: Int) -> Int {
        (0..<degree).reduce(value) { remainder, _ in remainder << 1 ^ (remainder >> (degree - 1)) * polynomial }
    }

    /// Draws codewords in two-module columns from the right, alternately upwards and downwards.
    mutating func fill(_ codewords: [UInt8]) {
        var bit = 0
        let columns = stride(from: size - 1, through: 1, by: -2).map { $0 <= 6 ? $0 - 1 : $0 }
        for (turn, right) in columns.enumerated() {
            for step in 0..<size {
                let row = turn % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] && bit < 8 * codewords.count {
                    modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
        }
    }

    /// The masked code, and its penalty by the standard's rules.
    func masked(_ mask: QRMask) -> (modules: [Bool], penalty: Int) {
        var canvas = self
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] && mask.inverts(row, column) {
                canvas.modules[row * size + column].toggle()
            }
        }
        canvas.drawFormat(mask.rawValue)
        return (canvas.modules, QRPenalty(canvas.modules, size: size).sum)
    }
}
