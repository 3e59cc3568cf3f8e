package import CloudModel
import Synchronization

/// The client of a request. The server's own reads have no client and no budget.
package final class ReadClient: Sendable {
    /// Set while a request is answered.
    @TaskLocal package static var current: ReadClient?

    /// The client's name. Long reads under one name take turns.
    let name: String
    /// The request's trace; nil for an unrecorded request.
    package let trace: RequestTrace?
    private let hasHungUp: @Sendable () -> Bool
    private let isEnded = Atomic<Bool>(false)

    package init(name: String, trace: RequestTrace? = nil, hasHungUp: @escaping @Sendable () -> Bool = { false }) {
        self.name = name
        self.trace = trace
        self.hasHungUp = hasHungUp
    }

    /// Ends the client's reads: their result is no longer needed.
    package func end() { isEnded.store(true, ordering: .relaxed) }

    var hasGone: Bool { isEnded.load(ordering: .relaxed) || hasHungUp() }
}
