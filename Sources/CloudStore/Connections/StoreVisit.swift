import CloudModel
import CloudSQL

/// One visit of a request to a connection, from when it began to wait.
struct StoreVisit: Sendable {
    let trace: RequestTrace
    private let queued = ContinuousClock.now
    private var started = ContinuousClock.now
    private var cost = RequestCost()

    /// Nil for work of the server's own.
    init?(_ trace: RequestTrace?) {
        guard let trace else { return nil }
        self.trace = trace
    }

    /// Notes that the connection has been given to it.
    mutating func begin(_ db: SQLConnection) {
        started = .now
        cost.queue = started - queued
        cost.statements = -db.statements
        cost.rowsRead = -db.rows
    }

    /// Notes that it needs the connection no more.
    mutating func end(_ db: SQLConnection) {
        cost.statements += db.statements
        cost.rowsRead += db.rows
    }

    /// Adds its cost to the request's, once what it has done holds.
    consuming func record() {
        cost.store = .now - started
        trace.add(cost)
    }
}
