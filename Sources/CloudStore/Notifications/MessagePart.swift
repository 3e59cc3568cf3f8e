import CloudSQL

/// The devices that a request tells something, and the push tokens that have something new.
final class MessagePart: TransactionPart {
    private struct State {
        var listeners = Listeners()
        var woken: Set<Int64> = []
    }

    private let onNotify: NotifyTokens
    private var state = Undoable(State())

    /// - Parameter onNotify: called after a commit with the push tokens that got a message.
    init(_ onNotify: @escaping NotifyTokens) { self.onNotify = onNotify }

    /// The devices that the current request tells something.
    var listeners: Listeners {
        _read { yield state.now.listeners }
        _modify { yield &state.now.listeners }
    }

    /// Lets who waits by this push token know once the change is on disk.
    func wake(token: Int64) { state.now.woken.insert(token) }

    func begin() { state.begin() }
    func undo() { state.undo() }
    func keep() { state.keep() }

    func finish(_ transaction: WriteTransaction) throws {
        try listeners.flush(transaction.db)
        listeners = Listeners()
    }

    func committed() {
        if !state.now.woken.isEmpty { onNotify(state.now.woken) }
        state.now.woken.removeAll()
    }

    func lost(_ db: SQLConnection) { state.reset(to: State()) }
}

extension WriteTransaction {
    var messages: MessagePart { part() }
}
