import CloudPages

/// A small line chart in a box of 100 by 30.
struct Sparkline: PageView {
    /// The description for screen readers.
    let label: String
    /// The SVG paths of the line and of the area below.
    let line: String
    let area: String

    init(values: [Int], label: String) {
        self.label = label
        let (most, last) = (Double(max(values.max() ?? 0, 1)), Double(max(values.count - 1, 1)))
        let points = values.enumerated().map { index, value in
            "\(Self.short(Double(index) / last * 100)) \(Self.short(28 - Double(value) / most * 25))"
        }
        line = "M" + points.joined(separator: "L")
        area = line + "L100 30L0 30Z"
    }

    private static func short(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
