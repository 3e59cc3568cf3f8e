/// A small course of numbers, drawn in a box of 100 by 30.
struct Sparkline: PageView {
    /// The description for people who do not see it.
    let label: String
    /// The path of the line, and that of what is below it.
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
