import CloudModel
import GRDB

/// A query subscription that a change to a record fires, and what it says.
struct Firing {
    let candidate: SubscriptionCandidate
    let message: SubscriptionMessage
}

/// Which query subscriptions changes to records fire, by the records as they are in the transaction now.
struct RecordMatching {
    let container: String
    let transaction: WriteTransaction
    private var db: Database { transaction.db }

    func firings(_ change: RecordChange) throws -> [Firing] { try firings([change])[0] }

    /// For each change, in order. Candidates are looked up once for all that are similar.
    func firings(_ changes: [RecordChange]) throws -> [[Firing]] {
        var firings: [[Firing]] = Array(repeating: [], count: changes.count)
        for (similar, indices) in Dictionary(grouping: changes.indices, by: { SimilarChanges(changes[$0]) }) {
            guard let fields = transaction.watched.fields(ofType: similar.type) else { continue }
            let found = try SubscriptionCandidates.find(
                indices.map { changes[$0] }, fields: fields, db, transaction.statements)
            for (index, candidates) in zip(indices, found) where !candidates.isEmpty {
                firings[index] = try self.firings(changes[index], among: candidates)
            }
        }
        return firings
    }

    private func firings(_ change: RecordChange, among candidates: [SubscriptionCandidate]) throws -> [Firing] {
        guard let creator = try creator(of: change) else { return [] }
        // Many users ask the same, and want it told the same way.
        var record = WatchedRecord(change, transaction)
        var infos: [[UInt8]?: NotificationInfo] = [:]
        var firings: [Firing] = []
        for candidate in candidates where try mayRead(candidate.user, change, creator: creator) {
            guard try record.meets(candidate.query) else { continue }
            let info = infos[candidate.info] ?? NotificationInfo(stored: candidate.info)
            infos[candidate.info] = info
            let fields = try info.bringsFields ? record.fields() : JSONObject()
            firings.append(Firing(candidate: candidate, message: message(candidate, change, fields, info)))
        }
        return firings
    }

    // MARK: The record

    private func creator(of change: RecordChange) throws -> String? {
        try db.first("SELECT creator FROM records WHERE id = ?", .integer(change.record)) { $0.text(0) }
    }

    /// In the public database people are told of what they may read (reference A §12).
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
    /// From what was checked when the subscription was made.
    init(stored: [UInt8]?) {
        self = stored.flatMap { try? NotificationInfo(JSONParser.parse($0)) } ?? NotificationInfo()
    }
}
