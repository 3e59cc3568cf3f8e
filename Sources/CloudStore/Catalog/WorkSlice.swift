/// The share of background work for one write.
package struct WorkSlice {
    /// The most rows between two clock checks.
    static let chunk = 20
    /// Unlimited work, regardless of duration.
    static let unbounded = WorkSlice(rows: .max, end: nil)

    private var rows: Int
    private let end: ContinuousClock.Instant?
    private var isBegun = false

    /// - Parameter rows: the most rows in the slice.
    init(rows: Int, lasting duration: Duration) { self.init(rows: rows, end: .now + duration) }

    /// The work of one background write beside client writes.
    package init(_ pace: BuildPace) { self.init(rows: pace.batch, lasting: pace.slice) }

    /// The same slice with a shorter time limit.
    func within(_ duration: Duration) -> WorkSlice {
        WorkSlice(rows: rows, end: end.map { min($0, .now + duration) })
    }

    private init(rows: Int, end: ContinuousClock.Instant?) {
        self.rows = rows
        self.end = end
    }

    /// The number of rows to process next; nil when the slice is used up. The first call always returns rows, so every
    /// slice makes progress even on a slow machine.
    ///
    /// - Parameter chunk: the most rows between two clock checks.
    mutating func next(_ chunk: Int = Self.chunk) -> Int? {
        guard rows > 0 else { return nil }
        if isBegun, let end, ContinuousClock.now >= end { return nil }
        isBegun = true
        let some = min(rows, chunk)
        rows -= some
        return some
    }
}
