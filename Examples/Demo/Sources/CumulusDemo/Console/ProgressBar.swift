/// How far a long piece of work has come: a bar that redraws itself on a terminal, a line every tenth elsewhere.
struct ProgressBar {
    private static let cells = 30

    private let console: Console
    private let total: Int
    private let noun: String
    private let start = ContinuousClock.now
    private var done = 0
    private var tenthsShown = 0

    init(of total: Int, _ noun: String, on console: Console) {
        self.console = console
        self.total = total
        self.noun = noun
    }

    mutating func advance(by count: Int) {
        done += count
        let seconds = start.duration(to: .now) / .seconds(1)
        if console.isTerminal {
            console.overwrite("     " + bar + status(after: seconds))
            guard done == total else { return }
            if console.isBrief { console.overwrite("") } else { console.line() }
        } else if done * 10 / total > tenthsShown {
            tenthsShown = done * 10 / total
            console.line(status(after: seconds), indent: 5)
        }
    }

    private var bar: String {
        let filled = Self.cells * done / total
        return String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled) + " "
    }

    private func status(after seconds: Double) -> String {
        let rate = Double(done) / max(seconds, 0.001)
        let left = Int((Double(total - done) / max(rate, 0.001)).rounded(.up))
        let time = done == total ? "done in \(seconds.oneDecimal) s" : "\(left) s left"
        return "\(100 * done / total) %  \(done.grouped) of \(total.grouped) \(noun), \(Int(rate).grouped)/s, \(time)"
    }
}
