import Synchronization

/// Counts the connections and decides which of them are answered. Those beyond the most are told to come back; a few at a
/// time, the others wait to be accepted.
final class ConnectionGate: Sendable {
    /// The number of connections that are told to come back at a time.
    static let turnedAwayAtOnce = 32

    let most: Int
    private let accepted = Atomic(0)
    private let admitted = Atomic(0)

    init(most: Int) { self.most = most }

    // MARK: Accepting, on the event loop of the listening socket

    func connectionOpened() { accepted.add(1, ordering: .relaxed) }
    func connectionClosed() { accepted.subtract(1, ordering: .relaxed) }
    func isAcceptingNewConnections() -> Bool { accepted.load(ordering: .relaxed) < most + Self.turnedAwayAtOnce }

    // MARK: Answering

    /// - Returns: whether there was room; ``leave()`` is to be called then.
    func enter() -> Bool {
        if admitted.add(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    func leave() { admitted.subtract(1, ordering: .relaxed) }
}
