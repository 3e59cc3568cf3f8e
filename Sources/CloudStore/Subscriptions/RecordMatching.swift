import CloudModel
import GRDB

/// A query subscription that a change to a record fires, and what it says.
struct Firing {
    let candidate: SubscriptionCandidate
    let message: SubscriptionMessage
}

/// Which query subscriptions a change to a record fires, by the record as it is in the transaction now.
struct RecordMatching {
    let container: String
    let transaction: WriteTransaction
    private var db: Database { transaction.db }

    func firings(_ change: RecordChange) throws -> [Firing] {
        guard let fields = transaction.watched.fields(ofType: change.type.id) else { return [] }
        let candidates = try SubscriptionCandidates.find(change, fields: fields, db, transaction.statements)
        guard !candidates.isEmpty, let record = try record(change) else { return [] }
        // Many users ask the same.
        var answers: [[UInt8]: Bool] = [:]
        var firings: [Firing] = []
        for candidate in candidates where mayRead(candidate.user, change, creator: record.creator) {
            let matches = try answers[candidate.query] ?? meets(candidate.query, change)
            answers[candidate.query] = matches
            if matches { firings.append(Firing(candidate: candidate, message: message(candidate, change, record))) }
        }
        return firings
    }

    // MARK: The record

    private struct Record {
        let name: String
        let creator: String
        let fields: JSONObject
    }

    private func record(_ change: RecordChange) throws -> Record? {
        let row = try db.first("SELECT name, creator, body FROM records WHERE id = ?", .integer(change.record)) {
            (name: $0.text(0), creator: $0.text(1), body: $0.blob(2))
        }
        guard let row else { return nil }
        return Record(name: row.name, creator: row.creator, fields: try ParsedBody(row.body).fields)
    }

    /// In the public database people are told of what they may read (reference A §12).
    private func mayRead(_ user: String, _ change: RecordChange, creator: String) -> Bool {
        change.zoneID.owner != ZoneID.publicOwner
            || change.type.grants.allow(.read, to: .user(recordName: user), creator: creator)
    }

    /// A query was held to the limits of its day.
    private static let unlimited: Limits = {
        var limits = Limits()
        limits.filtersPerQuery = .max
        limits.sortsPerQuery = .max
        limits.operandsPerFilter = .max
        limits.operandsPerQuery = .max
        return limits
    }()

    /// Asks the query itself, of this one record.
    private func meets(_ query: [UInt8], _ change: RecordChange) throws -> Bool {
        let limits = Self.unlimited
        guard let parsed = try? Query(JSONParser.parse(query), limits: limits),
            let resolved = try? ResolvedQuery(
                parsed, catalog: transaction.catalog, strict: false, zone: change.zoneID, limits: limits)
        else { return false }
        if resolved.filters.isEmpty { return true }
        let conditions = QueryConditions(resolved, zones: [change.zone], creator: nil, record: change.record)
        var isFound = false
        try db.each(
            "SELECT 1 FROM \(SchemaTables.table(change.type)) v WHERE \(conditions.all.sql)", conditions.all.values,
            cache: transaction.statements
        ) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    // MARK: What it says

    private func message(
        _ candidate: SubscriptionCandidate, _ change: RecordChange, _ record: Record
    ) -> SubscriptionMessage {
        SubscriptionMessage(
            container: container, user: candidate.user,
            scope: change.zoneID.owner == ZoneID.publicOwner ? .public : .private, subscription: candidate.name,
            id: change.id,
            subject: .record(name: record.name, in: change.zoneID, change.reason, fields: record.fields),
            info: NotificationInfo(stored: candidate.info))
    }
}

extension NotificationInfo {
    /// From what was checked when the subscription was made.
    init(stored: [UInt8]?) {
        self = stored.flatMap { try? NotificationInfo(JSONParser.parse($0)) } ?? NotificationInfo()
    }
}
