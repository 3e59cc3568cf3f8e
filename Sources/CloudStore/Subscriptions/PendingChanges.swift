import CloudModel

/// A request's changes so far, as far as subscriptions may match them.
struct PendingChanges {
    /// Keyed by name: a row number is reused once its record is deleted.
    private struct RecordKey: Hashable {
        let zone: Int64
        // Bytes, since Swift's strings compare canonically equivalent names as equal.
        let name: [UInt8]
    }

    private var all: [RecordChange?] = []
    private var places: [RecordKey: Int] = [:]
    /// Zones that were created, deleted or had changes, with the notification id of the latest change.
    private(set) var zones: [Int64: String?] = [:]
    /// Shares whose members see a change.
    private(set) var shares: Set<Int64> = []
    /// Users who gained or lost a share.
    private(set) var members: Set<String> = []

    /// Changes of records whose types have query subscriptions, in order.
    var records: [RecordChange] { all.compactMap(\.self) }
    var isEmpty: Bool { all.isEmpty && zones.isEmpty && shares.isEmpty && members.isEmpty }

    mutating func add(zone: Int64) { if zones[zone] == nil { zones[zone] = .some(nil) } }
    mutating func add(share: Int64) { shares.insert(share) }
    mutating func add(member user: String) { members.insert(user) }

    /// Adds a change; a request's changes of one record count as a single change.
    mutating func add(_ change: RecordChange) {
        zones[change.zone] = change.id
        let key = RecordKey(zone: change.zone, name: Array(change.name.utf8))
        guard let earlier = places.removeValue(forKey: key), let first = all[earlier] else {
            append(change, key)
            return
        }
        all[earlier] = nil
        // A record created and deleted by one request is not announced.
        if first.reason == .create && change.reason == .delete { return }
        append(first.reason == .create ? first : change, key)
    }

    private mutating func append(_ change: RecordChange, _ key: RecordKey) {
        places[key] = all.count
        all.append(change)
    }
}
