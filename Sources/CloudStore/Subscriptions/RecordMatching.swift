import CloudModel
import CloudSQL

/// A query subscription fired by a change to a record, and its message.
struct Firing {
    let candidate: SubscriptionCandidate
    let message: SubscriptionMessage
}

/// Finds the query subscriptions that record changes fire, from the records' current state in the transaction.
struct RecordMatching {
    let transaction: WriteTransaction
    var container: String { transaction.subscribers.container }
    private var db: SQLConnection { transaction.db }

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    func firings(_ change: RecordChange) throws -> [Firing] { try firings([change])[0] }

    /// Returns the firings of each change, in order. Similar changes share one lookup of candidates.
    func firings(_ changes: [RecordChange]) throws -> [[Firing]] {
        var firings: [[Firing]] = Array(repeating: [], count: changes.count)
        for (similar, indices) in Dictionary(grouping: changes.indices, by: { SimilarChanges(changes[$0]) }) {
            let found = try candidates(for: indices.map { changes[$0] }, type: similar.type)
            let told = zip(indices, found).filter { !$0.1.isEmpty }
            let creators = try creators(of: told.map { changes[$0.0].record })
            for (index, candidates) in told {
                guard let creator = creators[changes[index].record] else { continue }
                firings[index] = try self.firings(changes[index], by: creator, among: candidates)
            }
        }
        return firings
    }

    /// Finds the candidates of each similar change. When a user's budget ends midway, that user's subscriptions pause and the
    /// lookup runs again without them: at most once per user.
    private func candidates(for changes: [RecordChange], type: Int64) throws -> [[SubscriptionCandidate]] {
        while let fields = transaction.subscribers.watched.fields(ofType: type) {
            var stopped: (user: String, message: SubscriptionMessage)?
            let found = try SubscriptionCandidates.find(changes, fields: fields, db) {
                let cost = NotificationBudget.Cost.candidate + $0.query.count / NotificationBudget.Cost.bytes / 16
                guard !transaction.charges.mayPay(cost, user: $0.user) else { return true }
                stopped = ($0.user, message($0, changes[0], JSONObject(), NotificationInfo()))
                return false
            }
            guard let stopped else { return found }
            try transaction.charges.pause(stopped.user, telling: stopped.message)
        }
        return changes.map { _ in [] }
    }

    private func firings(
        _ change: RecordChange, by creator: String, among candidates: [SubscriptionCandidate]
    ) throws -> [Firing] {
        // Many users have the same query and notification info.
        var record = WatchedRecord(change, transaction)
        var infos: [[UInt8]?: NotificationInfo] = [:]
        var firings: [Firing] = []
        for candidate in candidates where !transaction.subscribers.paused.contains(candidate.user) {
            guard try mayRead(candidate.user, change, creator: creator) else { continue }
            let (isMet, cost) = try record.matches(candidate.query)
            let mayGoOn = try transaction.charges.charge(
                cost, to: candidate.user, for: message(candidate, change, JSONObject(), NotificationInfo()))
            guard isMet, mayGoOn else { continue }
            let info = infos[candidate.info] ?? NotificationInfo(stored: candidate.info)
            infos[candidate.info] = info
            let fields = try info.bringsFields ? record.fields() : JSONObject()
            firings.append(Firing(candidate: candidate, message: message(candidate, change, fields, info)))
        }
        return firings
    }

    // MARK: The record

    private func creators(of records: [Int64]) throws -> [Int64: String] {
        guard !records.isEmpty else { return [:] }
        var creators: [Int64: String] = [:]
        try db.each(
            """
            SELECT id, creator FROM records
            WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND creator IS NOT NULL
            """, [.list(records)]
        ) {
            creators[$0.integer(0)] = $0.text(1)
            return true
        }
        return creators
    }

    /// In the public database, notifies only users who may read the record (reference A §12).
    private func mayRead(_ user: String, _ change: RecordChange, creator: String) throws -> Bool {
        if change.zoneID.owner != ZoneID.publicOwner { return true }
        return try CallerRoles(transaction).allow(
            .read, change.type.grants, to: .user(recordName: user), creator: creator)
    }

    // MARK: What it says

    private func message(
        _ candidate: SubscriptionCandidate, _ change: RecordChange, _ fields: JSONObject, _ info: NotificationInfo
    ) -> SubscriptionMessage {
        SubscriptionMessage(
            container: container, user: candidate.user,
            scope: change.zoneID.owner == ZoneID.publicOwner ? .public : .private, subscription: candidate.name,
            id: change.id,
            subject: .record(name: change.name, in: change.zoneID, change.reason, fields: fields), info: info)
    }
}

extension NotificationInfo {
    /// Parses stored info, which was validated when the subscription was saved.
    init(stored: [UInt8]?) {
        self = stored.flatMap { try? NotificationInfo(JSONParser.parse($0)) } ?? NotificationInfo()
    }
}
