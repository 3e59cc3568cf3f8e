import NIOCore
import Synchronization

/// Collects the answers of one event loop turn and flushes them together, so that a client with many connections wakes
/// up once.
///
/// State: touched on the event loop only.
final class LoopTurn {
    private let loop: NIOIsolatedEventLoop
    private var handlers: [ExchangeHandler] = []
    /// The array of the last turn, empty.
    private var spare: [ExchangeHandler] = []
    /// The targets of the loop's recent requests.
    var targets = RecentTargets()

    init(_ loop: any EventLoop) { self.loop = loop.assumeIsolated() }

    /// Flushes the connection's answers at the end of the turn.
    func flush(_ handler: ExchangeHandler) {
        handlers.append(handler)
        if handlers.count == 1 { loop.execute { self.end() } }
    }

    private func end() {
        // A flushed handler may answer its next request, which joins the next turn.
        swap(&handlers, &spare)
        for handler in spare { handler.flush() }
        spare.removeAll(keepingCapacity: true)
    }
}

/// One ``LoopTurn`` per event loop of the server.
final class LoopTurns: Sendable {
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurn>]>([:])

    /// The turn of the caller's event loop.
    func turn(of loop: any EventLoop) -> LoopTurn {
        turns.withLock { turns in
            let known = turns[ObjectIdentifier(loop)] ?? NIOLoopBound(LoopTurn(loop), eventLoop: loop)
            turns[ObjectIdentifier(loop)] = known
            return known
        }.value
    }
}
