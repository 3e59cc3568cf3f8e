import CloudModel
import CloudSQL

/// Notifies subscribers of a request's changes, at the end of the request.
struct ChangeAnnouncer {
    private let transaction: WriteTransaction
    private let matching: RecordMatching
    private var db: SQLConnection { transaction.db }

    init(_ transaction: WriteTransaction) {
        self.transaction = transaction
        matching = RecordMatching(transaction)
    }

    func announce(_ pending: PendingChanges) throws {
        let records = pending.records
        try announceRecords(records)
        guard transaction.subscribers.watched.hasOthers else { return }
        let newID = RandomUUID.make()
        for (zone, id) in pending.zones.sorted(by: { $0.key < $1.key }) {
            for watcher in try ZoneWatchers.own(zone, db) { try announce(watcher, id ?? newID) }
        }
        let latest = records.last?.id ?? newID
        for watcher in try ZoneWatchers.shared(pending, db) { try announce(watcher, latest) }
    }

    private func announceRecords(_ records: [RecordChange]) throws {
        var arrivals = try matching.firings(records.filter { $0.departures == nil }).makeIterator()
        // Several records may match the same subscription that fires once.
        var spent: Set<Int64> = []
        for change in records {
            let firings = change.departures ?? arrivals.next() ?? []
            try transaction.announcer.prefetchListeners(of: firings.map(\.message.user))
            let texts = MessageTexts()
            for firing in firings where !spent.contains(firing.candidate.id) {
                if try announce(firing, texts), firing.candidate.firesOnce {
                    spent.insert(firing.candidate.id)
                    try SubscriptionTable.delete(id: firing.candidate.id, transaction)
                }
            }
        }
    }

    /// - Returns: whether any message was queued.
    private func announce(_ firing: Firing, _ texts: MessageTexts) throws -> Bool {
        let message = firing.message
        return try transaction.announcer.announce(
            Announcement(
                user: message.user, badges: message.info.badges, message: message, text: texts.text(of: firing),
                body: message.text(badge:)))
    }

    private func announce(_ watcher: ZoneWatcher, _ id: String) throws {
        let message = SubscriptionMessage(
            container: matching.container, user: watcher.user, scope: watcher.scope, subscription: watcher.name,
            id: id, subject: watcher.zone.map { .zone($0) } ?? .database(of: watcher.user),
            info: NotificationInfo(stored: watcher.info))
        let cost = NotificationBudget.Cost.candidate + (watcher.info?.count ?? 0) / NotificationBudget.Cost.bytes
        guard try transaction.charges.charge(cost, to: watcher.user, for: message) else { return }
        try transaction.announcer.announce(
            Announcement(
                user: watcher.user, collapse: "\(watcher.user) \(watcher.scope.number) \(watcher.name)",
                badges: message.info.badges, message: message, body: message.text(badge:)))
    }
}
