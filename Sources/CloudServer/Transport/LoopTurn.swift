import NIOCore
import Synchronization

/// The answers that are made in one turn of an event loop. They leave together at its end, so that a client with many
/// connections wakes up once for all of them.
///
/// State: touched on the event loop only.
final class LoopTurn {
    private let loop: NIOIsolatedEventLoop
    private var handlers: [ExchangeHandler] = []

    init(_ loop: any EventLoop) { self.loop = loop.assumeIsolated() }

    /// Flushes what a connection has written, once the other connections of the turn have been served.
    func flush(_ handler: ExchangeHandler) {
        handlers.append(handler)
        if handlers.count == 1 { loop.execute { self.end() } }
    }

    private func end() {
        // Whoever is flushed may answer the next request, which leaves at the end of the next turn.
        let ended = handlers
        handlers.removeAll(keepingCapacity: true)
        for handler in ended { handler.flush() }
    }
}

/// The turns of a server's event loops.
final class LoopTurns: Sendable {
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurn>]>([:])

    /// The turn of the event loop that this is called on.
    func turn(of loop: any EventLoop) -> LoopTurn {
        turns.withLock { turns in
            let known = turns[ObjectIdentifier(loop)] ?? NIOLoopBound(LoopTurn(loop), eventLoop: loop)
            turns[ObjectIdentifier(loop)] = known
            return known
        }.value
    }
}
