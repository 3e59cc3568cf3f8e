package import CloudModel
import Synchronization

/// The client that the store is used for. Reads of the server's own have none, and no budget.
package final class ReadClient: Sendable {
    /// Set around all that answers a request.
    @TaskLocal package static var current: ReadClient?

    /// The client's name. Reads of one name that take long come one after the other.
    let name: String
    /// The request that is being answered; nil for one that nobody keeps a record of.
    package let trace: RequestTrace?
    private let hasHungUp: @Sendable () -> Bool
    private let isEnded = Atomic<Bool>(false)

    package init(name: String, trace: RequestTrace? = nil, hasHungUp: @escaping @Sendable () -> Bool = { false }) {
        self.name = name
        self.trace = trace
        self.hasHungUp = hasHungUp
    }

    /// Nobody waits for what is read any more.
    package func end() { isEnded.store(true, ordering: .relaxed) }

    var hasGone: Bool { isEnded.load(ordering: .relaxed) || hasHungUp() }
}
