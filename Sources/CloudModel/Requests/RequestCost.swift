/// The cost of a request, or of a single store visit.
package struct RequestCost: Hashable, Sendable {
    /// The wait for a connection.
    package var queue = Duration.zero
    /// Time in the store, including the commit.
    package var store = Duration.zero
    package var statements = 0
    package var rowsRead = 0
    package var rowsAnswered = 0
    package var notifications = 0
    package var bytesIn = 0

    package init() {}

    package mutating func add(_ other: RequestCost) {
        queue += other.queue
        store += other.store
        statements += other.statements
        rowsRead += other.rowsRead
        rowsAnswered += other.rowsAnswered
        notifications += other.notifications
        bytesIn += other.bytesIn
    }
}
