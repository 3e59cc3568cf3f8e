import CloudModel
import CloudSQL

/// The way for a request to write: the connection, whose request it is, and the parts that features keep.
///
/// Used on the writer's thread only.
final class WriteTransaction {
    let db: SQLConnection
    /// The context of the request being written; nil for one that nobody is told of.
    private(set) var context: WriteContext?
    /// The trail of that request; nil for one that nobody keeps a record of.
    private(set) var trace: RequestTrace?
    /// True while what the request writes is to be undone.
    private(set) var isDry = false
    /// Records that the request may still delete at once; see ``BuildPace/mostDeletedAtOnce``.
    private(set) var deletionsLeft = Int.max
    /// What may still be read for the request to find holders of the records that it deletes, and those of whole trees.
    var holderBudget = HolderBudget.request
    var wholeBudget = HolderBudget.request
    /// A number that no other request of this connection has.
    private(set) var request = 0
    /// The id of the last group that this process wrote, where others write too.
    private var lastWrite: Int64?
    private let parts: [any TransactionPart]
    private let byType: [ObjectIdentifier: any TransactionPart]
    private let listener: any ChangeListener

    /// - Parameters:
    ///   - parts: in the order in which they are to be flushed.
    ///   - listener: hears of what requests with a context change.
    init(_ db: SQLConnection, parts: [any TransactionPart], listener: any ChangeListener) {
        self.db = db
        self.parts = parts
        self.listener = listener
        byType = Dictionary(uniqueKeysWithValues: parts.map { (ObjectIdentifier(Swift.type(of: $0)), $0) })
    }

    /// The part of a type, which must be there.
    func part<Part: TransactionPart>(_ type: Part.Type = Part.self) -> Part {
        guard let part = byType[ObjectIdentifier(type)] as? Part else { preconditionFailure("no \(type)") }
        return part
    }

    // MARK: What changes

    func note(zone: Int64) { if context != nil { listener.changed(zone: zone) } }
    func note(share: Int64) { if context != nil { listener.changed(share: share) } }
    func note(memberships user: String) { if context != nil { listener.changed(memberships: user) } }
    func note(_ record: ChangedRecord) throws { try note([record]) }
    func note(_ records: [ChangedRecord]) throws { if context != nil { try listener.changed(records, self) } }

    /// The stamp of a change to a record: its author and time. The device is that of the request if it is the author's.
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

    /// Notes that the request has deleted so many records.
    func spendDeletions(_ count: Int) { deletionsLeft = max(0, deletionsLeft - count) }

    private func resetBounds() {
        deletionsLeft = pace.mostDeletedAtOnce
        (holderBudget, wholeBudget) = (.request, .request)
    }

    /// Undoes what the current request wrote so far, to begin it anew.
    func restartRequest() throws {
        resetBounds()
        try db.undoSavepoint()
        for part in parts {
            part.undo()
            part.begin()
        }
    }

    /// Writes what follows from all that the request has changed: to be called when nothing more will.
    func finishRequest() throws { for part in parts { try part.finish(self) } }

    func endRequest(keep: Bool) throws {
        if !keep { try restartRequest() }
        try db.endSavepoint()
        for part in parts { part.keep() }
    }

    /// Does what may fail within a request: what it wrote is undone then, and the request goes on without it.
    ///
    /// - Throws: what ended the whole transaction.
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

    /// To be called at the beginning of a group's transaction.
    func beginGroup() throws {
        if let writers = db.writers { try catchUp(with: writers) }
        for part in parts { part.beginGroup() }
    }

    private func catchUp(with writers: WritingGroups) throws {
        guard writers.last == nil || writers.last != lastWrite || writers.isAnotherHistory else { return }
        for part in parts { try part.refresh(db) }
        guard writers.isAnotherHistory || parts.contains(where: \.isBehind) else { return }
        for part in parts { try part.beginHistory(db) }
        try db.keepHistory()
    }

    /// Writes what waits to be written with more of its kind, so that a clock sees the time that it takes.
    func writeWaiting() throws {
        try writeWords()
        try db.writeDeferred()
    }

    /// Writes what is kept back until the commit.
    func flush() throws { for part in parts { try part.flush(db) } }

    func committed() {
        lastWrite = db.writers?.current
        for part in parts { part.committed() }
    }

    /// To be called behind the answers to the group's requests.
    func answered() { for part in parts { part.answered() } }

    /// Drops cached state after a group whose commit was lost.
    func lost() {
        context = nil
        lastWrite = nil
        for part in parts { part.lost(db) }
    }
}
