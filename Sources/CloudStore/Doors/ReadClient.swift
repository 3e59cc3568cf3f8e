import Synchronization

/// The client that reads are made for. Reads of the server's own have none, and no budget.
package final class ReadClient: Sendable {
    /// Set around all that answers a request.
    @TaskLocal package static var current: ReadClient?

    /// The client's name. Reads of one name that take long come one after the other.
    let name: String
    private let hasHungUp: @Sendable () -> Bool
    private let isEnded = Atomic<Bool>(false)

    package init(name: String, hasHungUp: @escaping @Sendable () -> Bool = { false }) {
        self.name = name
        self.hasHungUp = hasHungUp
    }

    /// Nobody waits for what is read any more.
    package func end() { isEnded.store(true, ordering: .relaxed) }

    var hasGone: Bool { isEnded.load(ordering: .relaxed) || hasHungUp() }
}
