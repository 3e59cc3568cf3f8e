import CloudModel

/// Changes of a request so far, as far as subscriptions may be about them.
struct PendingChanges {
    /// A row's number may go to another record once the first is deleted; a name is the record's own.
    private struct RecordKey: Hashable {
        let zone: Int64
        // Bytes, since Swift takes an é of one scalar and one of two for the same, which they are not.
        let name: [UInt8]
    }

    private var all: [RecordChange?] = []
    private var places: [RecordKey: Int] = [:]
    /// Zones in which something has changed, or which came or went, with the latest change's notification id.
    private(set) var zones: [Int64: String?] = [:]
    /// Shares in which their members see a change.
    private(set) var shares: Set<Int64> = []
    /// Users for whom a share came or went.
    private(set) var members: Set<String> = []

    /// Records that queries watch the type of, in order.
    var records: [RecordChange] { all.compactMap(\.self) }
    var isEmpty: Bool { all.isEmpty && zones.isEmpty && shares.isEmpty && members.isEmpty }

    mutating func add(zone: Int64) { if zones[zone] == nil { zones[zone] = .some(nil) } }
    mutating func add(share: Int64) { shares.insert(share) }
    mutating func add(member user: String) { members.insert(user) }

    /// Adds a change; several changes of one record by a request count as one.
    mutating func add(_ change: RecordChange) {
        zones[change.zone] = change.id
        let key = RecordKey(zone: change.zone, name: Array(change.name.utf8))
        guard let earlier = places.removeValue(forKey: key), let first = all[earlier] else {
            append(change, key)
            return
        }
        all[earlier] = nil
        // What nobody has seen come need not be seen to go.
        if first.reason == .create && change.reason == .delete { return }
        append(first.reason == .create ? first : change, key)
    }

    private mutating func append(_ change: RecordChange, _ key: RecordKey) {
        places[key] = all.count
        all.append(change)
    }
}
