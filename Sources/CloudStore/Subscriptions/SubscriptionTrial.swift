package import CloudModel
import CloudSQL

/// Tests whether a subscription would fire for a change of an existing record.
package struct SubscriptionTrial: Sendable {
    /// The subscription's row.
    let subscription: Int64
    let name: String
    let zone: ZoneID
    let reason: FiringReasons

    package init(subscription: Int64, name: String, zone: ZoneID, reason: FiringReasons) {
        self.subscription = subscription
        self.name = name
        self.zone = zone
        self.reason = reason
    }

    /// Whether the subscription fires, and if not, the reason as a sentence.
    package struct Answer: Hashable, Sendable {
        package let fires: Bool
        /// Nil if the subscription fires.
        package let obstacle: String?
    }

    fileprivate struct Watcher {
        let user: String
        let scope: Int64
        let name: String
        let kind: SubscriptionKind
        let zone: Int64
        let type: Int64
        let firesOn: FiringReasons
        let query: [UInt8]?
        let isPaused: Bool
    }

    /// Runs the real matching code, for the whole answer and then for each part of the query.
    func run(_ transaction: WriteTransaction) throws -> Answer {
        let watcher = try watcher(transaction.db)
        guard let zoneRow = try ZoneTable.find(zone, transaction.db)?.id,
            let found = try transaction.db.first(
                "SELECT id, record_type, share FROM records WHERE zone = ? AND name = ?", .integer(zoneRow),
                .text(name), read: { (id: $0.integer(0), type: $0.optionalInteger(1), share: $0.optionalInteger(2)) }),
            let type = transaction.catalog.type(id: found.type)
        else { throw ServerError(.notFound, "Record not found", .missing(.record)) }
        let change = RecordChange(
            ChangedRecord(reason: reason, id: found.id, name: name, type: type, zone: zone, zoneRow: zoneRow))
        let fires: Bool
        switch (watcher.kind, watcher.scope) {
        case (.query, _):
            fires = try RecordMatching(transaction).firings(change).contains { $0.candidate.id == subscription }
        case (_, DatabaseScope.shared.number):
            var pending = PendingChanges()
            pending.add(zone: zoneRow)
            if let share = found.share { pending.add(share: share) }
            fires = try ZoneWatchers.shared(pending, transaction.db).contains(where: watcher.isSame)
        default: fires = try ZoneWatchers.own(zoneRow, transaction.db).contains(where: watcher.isSame)
        }
        return Answer(fires: fires, obstacle: fires ? nil : try obstacle(watcher, change, transaction))
    }

    private func watcher(_ db: SQLConnection) throws -> Watcher {
        let found = try db.first(
            """
            SELECT "user", scope, name, kind, zone, record_type, fires_on, query, is_paused FROM subscriptions
            WHERE id = ?
            """, .integer(subscription)
        ) {
            Watcher(
                user: $0.text(0), scope: $0.integer(1), name: $0.text(2),
                kind: SubscriptionKind(rawValue: $0.integer(3)) ?? .database, zone: $0.integer(4), type: $0.integer(5),
                firesOn: FiringReasons(rawValue: $0.integer(6)), query: $0.isNull(7) ? nil : $0.blob(7),
                isPaused: $0.integer(8) != 0)
        }
        guard let found else {
            throw ServerError(.notFound, "there is no such subscription", .missing(.subscription))
        }
        return found
    }

    // MARK: Why not

    private func obstacle(_ watcher: Watcher, _ change: RecordChange, _ transaction: WriteTransaction) throws -> String
    {
        if watcher.isPaused { return "the subscriptions of its user pause, since there was too much to tell" }
        if watcher.scope == DatabaseScope.shared.number { return "nobody shares the record with its user" }
        let isPublic = zone.owner == ZoneID.publicOwner
        if isPublic != (watcher.scope == DatabaseScope.public.number) {
            return "it is for the \(isPublic ? "private" : "public") database"
        }
        if !isPublic, watcher.user != zone.owner { return "the record is in the database of somebody else" }
        if watcher.zone != 0, watcher.zone != change.zone { return "it is for another zone" }
        guard watcher.kind == .query, let query = watcher.query else { return "it is for something else" }
        if watcher.type != change.type.id {
            let wanted = transaction.catalog.type(id: watcher.type)?.name ?? "another type"
            return "it is for \(wanted), and the record is a \(change.type.name)"
        }
        if !watcher.firesOn.contains(reason) { return "it does not fire on \(reason.name)" }
        if let filter = try unmetFilter(query, change, transaction) { return filter }
        return "its user may not read the record"
    }

    private func unmetFilter(
        _ query: [UInt8], _ change: RecordChange, _ transaction: WriteTransaction
    ) throws -> String? {
        var record = WatchedRecord(change, transaction)
        guard let whole = try? JSONParser.parse(query).object else { return nil }
        let filters = whole["filterBy"]?.array ?? whole["filterBy"].map { [$0] } ?? []
        for filter in filters {
            var writer = JSONWriter()
            writer.value(
                .object(
                    JSONObject([
                        .init(key: "recordType", value: .string(change.type.name)),
                        .init(key: "filterBy", value: .array([filter])),
                    ])))
            if try record.matches(writer.bytes).0 { continue }
            return FilterText.text(of: filter, on: try record.fields())
        }
        return nil
    }
}

extension SubscriptionTrial.Watcher {
    fileprivate func isSame(_ other: ZoneWatcher) -> Bool {
        other.user == user && other.name == name && other.scope.number == scope
    }
}

extension FiringReasons {
    /// The reason's name on the wire.
    fileprivate var name: String {
        switch self {
        case .create: "create"
        case .update: "update"
        default: "delete"
        }
    }
}

/// Describes a filter that a record does not match.
enum FilterText {
    private static let signs = [
        "EQUALS": "=", "NOT_EQUALS": "≠", "LESS_THAN": "<", "LESS_THAN_OR_EQUALS": "≤", "GREATER_THAN": ">",
        "GREATER_THAN_OR_EQUALS": "≥",
    ]

    static func text(of filter: JSONValue, on fields: JSONObject) -> String {
        let parts = filter.object
        let name = parts?["fieldName"]?.string ?? parts?["systemFieldName"]?.string ?? "the record"
        let comparator = parts?["comparator"]?.string ?? "EQUALS"
        let sign = signs[comparator] ?? comparator.lowercased().replacing("_", with: " ")
        let wanted = shown(parts?["fieldValue"]?.object?["value"])
        let value = fields[name]?.object?["value"].map { " " + shown($0) }
        let isSystem = parts?["systemFieldName"] != nil
        return "\(name)\(value ?? (isSystem ? "" : ", which has no value,")) is not \(sign) \(wanted)"
    }

    private static func shown(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: return "'\(text.prefix(100))'"
        case .integer(let number)?: return "\(number)"
        case .number(let number)?: return "\(number)"
        default:
            var writer = JSONWriter()
            writer.value(value ?? .null)
            return String(String(decoding: writer.bytes, as: UTF8.self).prefix(200))
        }
    }
}
