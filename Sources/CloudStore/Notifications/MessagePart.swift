import CloudSQL

/// The devices that a request tells something, and the push tokens that have something new with what it is.
final class MessagePart: TransactionPart {
    private struct State {
        var listeners = Listeners()
        var woken: Set<Int64> = []
        /// How many of `noted` there are.
        var noteCount = 0
    }

    private let onQueue: LogMessages
    private let onNotify: NotifyTokens
    private var state = Undoable(State())
    /// The messages queued since the last commit. Beside the state, which is copied for each request.
    private var noted: [LoggedNotification] = []

    /// - Parameters:
    ///   - onQueue: called after a commit with the messages that it queued, and before `onNotify`.
    ///   - onNotify: called after a commit with the push tokens that got a message.
    init(_ onQueue: @escaping LogMessages, _ onNotify: @escaping NotifyTokens) {
        self.onQueue = onQueue
        self.onNotify = onNotify
    }

    /// The devices that the current request tells something.
    var listeners: Listeners {
        _read { yield state.now.listeners }
        _modify { yield &state.now.listeners }
    }

    /// Lets who waits by this push token know once the change is on disk.
    func wake(token: Int64) { state.now.woken.insert(token) }

    /// Notes a message that was queued, for the log; of very many not all.
    func note(_ message: LoggedNotification) {
        if noted.count >= NotificationLog.most { return }
        noted.append(message)
        state.now.noteCount = noted.count
    }

    func begin() { state.begin() }

    func undo() {
        state.undo()
        noted.removeLast(noted.count - state.now.noteCount)
    }

    func keep() { state.keep() }

    func finish(_ transaction: WriteTransaction) throws {
        try listeners.flush(transaction.db)
        listeners = Listeners()
    }

    func committed() {
        if !noted.isEmpty { onQueue(noted) }
        noted.removeAll(keepingCapacity: true)
        state.now.noteCount = 0
        if !state.now.woken.isEmpty { onNotify(state.now.woken) }
        state.now.woken.removeAll()
    }

    func lost(_ db: SQLConnection) {
        state.reset(to: State())
        noted.removeAll()
    }
}

extension WriteTransaction {
    var messages: MessagePart { part() }
}
