import CloudSQL

/// The devices that a request notifies, and the push tokens with new messages.
final class MessagePart: TransactionPart {
    private struct State {
        var listeners = Listeners()
        var woken: Set<Int64> = []
        /// Single queued messages, by token.
        var alone: [Int64: QueuedNotification] = [:]
        /// The length of `noted` that this state covers.
        var noteCount = 0
        /// Messages of the current request that may share rows, by device.
        var crowd: [Int64: CrowdMessages.Entry] = [:]
    }

    private let onQueue: LogMessages
    private let onNotify: NotifyTokens
    private let awaited: AwaitedTokens
    private var state = Undoable(State())
    /// Messages queued since the last commit. Kept out of the state, which is copied for each request.
    private var noted: [LoggedNotification] = []

    /// - Parameters:
    ///   - onQueue: called after a commit with the queued messages, before `onNotify`.
    ///   - onNotify: called after a commit with the push tokens of new messages.
    ///   - awaited: filters push tokens to those with a waiting poll.
    init(_ onQueue: @escaping LogMessages, _ onNotify: @escaping NotifyTokens, _ awaited: @escaping AwaitedTokens) {
        self.onQueue = onQueue
        self.onNotify = onNotify
        self.awaited = awaited
    }

    /// The devices that the current request notifies.
    var listeners: Listeners {
        _read { yield state.now.listeners }
        _modify { yield &state.now.listeners }
    }

    /// Notifies a device's listener of a message after the commit.
    ///
    /// - Parameter listener: the device, with the current state of its queue.
    func tell(_ listener: DeviceTable.Listener, _ message: LoggedNotification) {
        note(message)
        state.now.woken.insert(listener.token)
        let isAlone = listener.queued == 1 && message.revision == 0 && !listener.isPruned && !listener.isWebhook
        state.now.alone[listener.token] = isAlone ? QueuedNotification(message) : nil
    }

    /// Keeps a queued message for the log, up to the log's limit.
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

    // MARK: Messages for many

    /// Keeps a message that may share a row with other devices' messages.
    func join(_ entry: CrowdMessages.Entry) { state.now.crowd[entry.device] = entry }

    /// Moves a device's shared message to its own queue, before another message follows.
    func leaveCrowd(_ device: Int64, _ db: SQLConnection) throws {
        if state.now.crowd.isEmpty { return }
        if let entry = state.now.crowd.removeValue(forKey: device) { try queue(entry, db) }
    }

    private func queue(_ entry: CrowdMessages.Entry, _ db: SQLConnection) throws {
        let message = entry.message
        try NotificationQueue.insert(id: message.id, device: entry.device, at: message.queued, message.body, db)
    }

    /// Writes a shared row per message with enough waiting devices; queues all other messages device by device.
    private func writeCrowd(_ db: SQLConnection) throws {
        let entries = state.now.crowd.values.sorted { $0.message.id < $1.message.id }
        guard let first = entries.first else { return }
        state.now.crowd.removeAll()
        let awaited = entries.count < CrowdMessages.fewest ? [] : self.awaited(entries.map(\.token))
        let crowds = Dictionary(grouping: entries.lazy.filter { awaited.contains($0.token) }) {
            ObjectIdentifier($0.text)
        }.filter { $0.value.count >= CrowdMessages.fewest }
        for entry in entries where !awaited.contains(entry.token) || crowds[ObjectIdentifier(entry.text)] == nil {
            try queue(entry, db)
        }
        if crowds.isEmpty { return }
        try CrowdMessages.tidy(first.message.queued, db)
        for crowd in crowds.values {
            try CrowdMessages.add(crowd, db)
            for entry in crowd { listeners.restore(entry.device) }
        }
    }

    func finish(_ transaction: WriteTransaction) throws {
        let isAnybodyTold = listeners.haveChanged
        try writeCrowd(transaction.db)
        try listeners.flush(transaction.db)
        listeners = Listeners()
        // Write deferred statements now: an error fails this request alone and is undone with it.
        if isAnybodyTold { try transaction.db.writeDeferred() }
    }

    func committed() {
        if !noted.isEmpty { onQueue(noted) }
        noted.removeAll(keepingCapacity: true)
        state.now.noteCount = 0
    }

    /// Runs after the answers, so that the writing client does not wait for thousands of listeners.
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
