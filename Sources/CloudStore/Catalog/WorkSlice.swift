/// The part of a schema change's work left for later that one write does.
struct WorkSlice {
    /// Rows looked for at once, between two looks at the clock.
    private static let chunk = 20
    /// All of it, however long that takes.
    static let unbounded = WorkSlice(rows: .max, end: nil)

    private var rows: Int
    private let end: ContinuousClock.Instant?
    private var isBegun = false

    /// - Parameter rows: at most.
    init(rows: Int, lasting duration: Duration) { self.init(rows: rows, end: .now + duration) }

    private init(rows: Int, end: ContinuousClock.Instant?) {
        self.rows = rows
        self.end = end
    }

    /// The number of rows that may be done next; nil when the slice is spent. There is always a first time, so that
    /// every slice gets on, however slow the machine.
    mutating func next() -> Int? {
        guard rows > 0 else { return nil }
        if isBegun, let end, ContinuousClock.now >= end { return nil }
        isBegun = true
        defer { rows -= min(rows, Self.chunk) }
        return min(rows, Self.chunk)
    }
}
