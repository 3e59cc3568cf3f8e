/// The part of the work left for later that one write does.
struct WorkSlice {
    /// Rows looked for at once, between two looks at the clock.
    static let chunk = 20
    /// All of it, however long that takes.
    static let unbounded = WorkSlice(rows: .max, end: nil)

    private var rows: Int
    private let end: ContinuousClock.Instant?
    private var isBegun = false

    /// - Parameter rows: at most.
    init(rows: Int, lasting duration: Duration) { self.init(rows: rows, end: .now + duration) }

    /// What one write does beside those of others.
    init(_ pace: BuildPace) { self.init(rows: pace.batch, lasting: pace.slice) }

    /// A slice of the same rows that lasts no longer than this.
    func within(_ duration: Duration) -> WorkSlice {
        WorkSlice(rows: rows, end: end.map { min($0, .now + duration) })
    }

    private init(rows: Int, end: ContinuousClock.Instant?) {
        self.rows = rows
        self.end = end
    }

    /// The number of rows that may be done next; nil when the slice is spent. There is always a first time, so that
    /// every slice gets on, however slow the machine.
    ///
    /// - Parameter chunk: the most rows between two looks at the clock.
    mutating func next(_ chunk: Int = Self.chunk) -> Int? {
        guard rows > 0 else { return nil }
        if isBegun, let end, ContinuousClock.now >= end { return nil }
        isBegun = true
        let some = min(rows, chunk)
        rows -= some
        return some
    }
}
