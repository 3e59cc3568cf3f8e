/// A pattern that inverts data modules, so that data does not resemble the code's patterns.
enum QRMask: Int, CaseIterable {
    case chessboard, rows, columns, diagonals, bricks, crosses, flowers, waves

    func inverts(_ row: Int, _ column: Int) -> Bool {
        switch self {
        case .chessboard: (row + column) % 2 == 0
        case .rows: row % 2 == 0
        case .columns: column % 3 == 0
        case .diagonals: (row + column) % 3 == 0
        case .bricks: (row / 2 + column / 3) % 2 == 0
        case .crosses: row * column % 2 + row * column % 3 == 0
        case .flowers: (row * column % 2 + row * column % 3) % 2 == 0
        case .waves: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}

/// The penalty for hard-to-read features by the standard's rules (section 7.8.3).
struct QRPenalty {
    private let modules: [Bool]
    private let size: Int

    init(_ modules: [Bool], size: Int) {
        (self.modules, self.size) = (modules, size)
    }

    var sum: Int {
        var sum = squares + balance
        for index in 0..<size {
            let row = Array(modules[index * size..<(index + 1) * size])
            let column = (0..<size).map { modules[$0 * size + index] }
            for line in [row, column] { sum += runs(line) + finders(line) }
        }
        return sum
    }

    /// The penalty for runs of five or more modules of one colour.
    private func runs(_ line: [Bool]) -> Int {
        var (penalty, length) = (0, 1)
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                length += 1
                continue
            }
            if length >= 5 { penalty += length - 2 }
            length = 1
        }
        return penalty
    }

    /// The penalty for sequences like a finder pattern with four light modules on either side.
    private func finders(_ line: [Bool]) -> Int {
        let bits = line.map { $0 ? 1 : 0 }
        var (window, penalty) = (0, 0)
        for (index, bit) in bits.enumerated() {
            window = (window << 1 | bit) & 0x7FF
            if index >= 10, window == 0b000_0101_1101 || window == 0b101_1101_0000 { penalty += 40 }
        }
        return penalty
    }

    /// The penalty for 2 × 2 squares of one colour.
    private var squares: Int {
        var penalty = 0
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let place = row * size + column
                let others = [modules[place + 1], modules[place + size], modules[place + size + 1]]
                if others.allSatisfy({ $0 == modules[place] }) { penalty += 3 }
            }
        }
        return penalty
    }

    /// The penalty for each full 5 % of imbalance between dark and light.
    private var balance: Int {
        let dark = modules.count { $0 }
        return abs(dark * 20 - modules.count * 10) / modules.count * 10
    }
}
