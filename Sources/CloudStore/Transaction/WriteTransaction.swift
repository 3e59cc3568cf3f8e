import CloudModel
package import CloudSQL

/// A request's access for writing: the connection, the request's context, and the features' parts.
///
/// Confined to the writer's thread.
package final class WriteTransaction {
    package let db: SQLConnection
    /// The current request's context; nil for a request without notifications.
    private(set) var context: WriteContext?
    /// The current request's trace; nil for an unrecorded request.
    private(set) var trace: RequestTrace?
    /// True if the current request will be undone.
    private(set) var isDry = false
    var bounds = RequestBounds()
    /// A unique number of the current request on this connection.
    private(set) var request = 0
    /// The id of this process's last group, if several processes write.
    private var lastWrite: Int64?
    private let parts: [any TransactionPart]
    private let byType: [ObjectIdentifier: any TransactionPart]
    private let listener: any ChangeListener

    /// - Parameters:
    ///   - parts: in the order of flushing.
    ///   - listener: receives the changes of requests with a context.
    init(_ db: SQLConnection, parts: [any TransactionPart], listener: any ChangeListener) {
        self.db = db
        self.parts = parts
        self.listener = listener
        byType = Dictionary(uniqueKeysWithValues: parts.map { (ObjectIdentifier(Swift.type(of: $0)), $0) })
    }

    /// The part of a type, which must exist.
    func part<Part: TransactionPart>(_ type: Part.Type = Part.self) -> Part {
        guard let part = byType[ObjectIdentifier(type)] as? Part else { preconditionFailure("no \(type)") }
        return part
    }

    // MARK: What changes

    func didChange(zone: Int64) { if context != nil { listener.changed(zone: zone) } }
    func didChange(share: Int64) { if context != nil { listener.changed(share: share) } }
    func didChange(memberships user: String) { if context != nil { listener.changed(memberships: user) } }
    func didChange(_ record: ChangedRecord) throws { try didChange([record]) }
    func didChange(_ records: [ChangedRecord]) throws { if context != nil { try listener.changed(records, self) } }

    /// The author, time and device of a record change; the request's device only if the author sent the request.
    func stamp(by user: String, at now: Timestamp) -> RecordBody.Stamp {
        guard let context, context.user ?? ZoneID.publicOwner == user else {
            return RecordBody.Stamp(timestamp: now, userRecordName: user)
        }
        return RecordBody.Stamp(timestamp: now, userRecordName: user, deviceID: context.deviceID)
    }

    // MARK: A request

    /// Begins a request; ends with ``endRequest(keep:)``.
    func beginRequest(_ context: WriteContext?, _ trace: RequestTrace? = nil, isDry: Bool = false) {
        db.beginSavepoint("request")
        self.isDry = isDry
        self.context = context
        self.trace = trace
        request &+= 1
        resetBounds()
        for part in parts { part.begin() }
    }

    private func resetBounds() { bounds = RequestBounds(deletionsLeft: schema.pace.mostDeletedAtOnce) }

    /// Undoes the current request's writes so far, to start it again.
    func restartRequest() throws {
        resetBounds()
        try db.undoSavepoint()
        for part in parts {
            part.undo()
            part.begin()
        }
    }

    /// Writes the consequences of the request's changes. Call after the last change.
    func finishRequest() throws { for part in parts { try part.finish(self) } }

    func endRequest(keep: Bool) throws {
        if !keep { try restartRequest() }
        try db.endSavepoint()
        for part in parts { part.keep() }
    }

    /// Runs a part of a request that may fail: an error undoes its writes, and the request continues.
    ///
    /// - Throws: the error that ended the whole transaction.
    func attempt(_ body: () throws -> Void) throws {
        db.beginSavepoint("attempt")
        for part in parts { part.begin() }
        do {
            try body()
            for part in parts { part.keep() }
        } catch {
            guard db.isInsideTransaction else { throw error }
            try db.undoSavepoint()
            for part in parts { part.undo() }
        }
        try db.endSavepoint()
    }

    // MARK: A group

    /// Call at the beginning of a group's transaction.
    func beginGroup() throws {
        if let writers = db.sharing?.writers { try catchUp(with: writers) }
    }

    private func catchUp(with writers: WritingGroups) throws {
        guard writers.last == nil || writers.last != lastWrite || writers.isAnotherHistory else { return }
        var isBehind = false
        for part in parts where try part.refresh(db) == .behind { isBehind = true }
        guard writers.isAnotherHistory || isBehind else { return }
        for part in parts { try part.beginHistory(db) }
        try db.sharing?.keepHistory()
    }

    /// Writes buffered words and deferred statements, so that a time limit includes their cost.
    func writeWaiting() throws {
        try words.flush()
        try db.writeDeferred()
    }

    /// Writes everything deferred until the commit.
    func flush() throws { for part in parts { try part.flush(db) } }

    func committed() {
        lastWrite = db.sharing?.writers?.current
        for part in parts { part.committed() }
    }

    /// Call after the answers to the group's requests.
    func answered() { for part in parts { part.answered() } }

    /// Drops cached state after a group whose commit was lost.
    func lost() {
        context = nil
        lastWrite = nil
        for part in parts { part.lost(db) }
    }
}

/// The remaining work of a request.
struct RequestBounds {
    /// Immediate deletions; see ``BuildPace/mostDeletedAtOnce``.
    private(set) var deletionsLeft = Int.max
    /// Reading for searches for holders of deleted records: direct searches, and whole trees.
    var holderBudget = HolderBudget.request
    var wholeBudget = HolderBudget.request

    init(deletionsLeft: Int = .max) { self.deletionsLeft = deletionsLeft }

    /// Counts records deleted by the request.
    mutating func spendDeletions(_ count: Int) { deletionsLeft = max(0, deletionsLeft - count) }
}
