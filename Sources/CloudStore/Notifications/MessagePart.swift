import CloudSQL

/// The devices that a request tells something, and the push tokens that have something new with what it is.
final class MessagePart: TransactionPart {
    private struct State {
        var listeners = Listeners()
        var woken: Set<Int64> = []
        /// The messages of tokens with a single queued message.
        var alone: [Int64: QueuedNotification] = [:]
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

    /// Lets who listens for a device know of a message once it is on disk.
    ///
    /// - Parameter listener: the device, with its queue as it is now.
    func tell(_ listener: DeviceTable.Listener, _ message: LoggedNotification) {
        note(message)
        state.now.woken.insert(listener.token)
        let isAlone = listener.queued == 1 && message.revision == 0 && !listener.isPruned && !listener.isWebhook
        state.now.alone[listener.token] = isAlone ? QueuedNotification(message) : nil
    }

    /// Notes a message that was queued, for the log; of very many not all.
    private func note(_ message: LoggedNotification) {
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
        let isAnybodyTold = listeners.haveChanged
        try listeners.flush(transaction.db)
        listeners = Listeners()
        // What breaks here is this request's, and undone with it.
        if isAnybodyTold { try transaction.db.writeDeferred() }
    }

    func committed() {
        if !noted.isEmpty { onQueue(noted) }
        noted.removeAll(keepingCapacity: true)
        state.now.noteCount = 0
    }

    /// Thousands may wait, and whoever made the change does not wait for them.
    func answered() {
        if !state.now.woken.isEmpty { onNotify(state.now.woken, state.now.alone) }
        state.now.woken.removeAll()
        state.now.alone.removeAll()
    }

    func lost(_ db: SQLConnection) {
        state.reset(to: State())
        noted.removeAll()
    }
}

extension WriteTransaction {
    var messages: MessagePart { part() }
}
