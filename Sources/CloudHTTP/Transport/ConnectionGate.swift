import Synchronization

/// Limits the number of served connections. Accepts a few more to refuse them; further clients wait in the listen
/// backlog.
package final class ConnectionGate: Sendable {
    /// Connections over the limit that may be open for their refusal.
    package static let turnedAwayAtOnce = 32

    package let most: Int
    private let accepted = Atomic(0)
    private let admitted = Atomic(0)

    package init(most: Int) { self.most = most }

    // MARK: Accepting, on the event loop of the listening socket

    func connectionOpened() { accepted.add(1, ordering: .relaxed) }
    func connectionClosed() { accepted.subtract(1, ordering: .relaxed) }
    func isAcceptingNewConnections() -> Bool { accepted.load(ordering: .relaxed) < most + Self.turnedAwayAtOnce }

    // MARK: Answering

    /// - Returns: true if admitted; the caller then calls ``leave()`` at the end.
    func enter() -> Bool {
        if admitted.add(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    package func leave() { admitted.subtract(1, ordering: .relaxed) }
}
