/// Receives measurements of the stores' writers.
package protocol StoreMeter: Sendable {
    /// Called after each commit with its number of requests and its duration.
    func committed(_ requests: Int, in time: Duration)
}
