import CloudModel
import CloudSQL

/// The cost of one use of a connection by a request, counted from queueing.
struct StoreVisit: Sendable {
    let trace: RequestTrace
    private let queued = ContinuousClock.now
    private var started = ContinuousClock.now
    private var cost = RequestCost()

    /// Nil for the server's own work.
    init?(_ trace: RequestTrace?) {
        guard let trace else { return nil }
        self.trace = trace
    }

    /// Notes that the connection is taken.
    mutating func begin(_ db: SQLConnection) {
        started = .now
        cost.queue = started - queued
        cost.statements = -db.statements
        cost.rowsRead = -db.rows
    }

    /// Notes that the connection is no longer needed.
    mutating func end(_ db: SQLConnection) {
        cost.statements += db.statements
        cost.rowsRead += db.rows
    }

    /// Adds the cost to the request's trace; called when the outcome is final.
    consuming func record() {
        cost.store = .now - started
        trace.add(cost)
    }
}
