import CloudModel

/// What a request has changed so far, as far as subscriptions may be about it.
struct PendingChanges {
    /// Records that queries watch the type of, in order.
    private(set) var records: [RecordChange] = []
    /// Zones in which something has changed, or which came or went, with the latest change's notification id.
    private(set) var zones: [Int64: String?] = [:]
    /// Shares in which their members see a change.
    private(set) var shares: Set<Int64> = []
    /// Users for whom a share came or went.
    private(set) var members: Set<String> = []

    var isEmpty: Bool { records.isEmpty && zones.isEmpty && shares.isEmpty && members.isEmpty }

    mutating func add(zone: Int64) { if zones[zone] == nil { zones[zone] = .some(nil) } }
    mutating func add(share: Int64) { shares.insert(share) }
    mutating func add(member user: String) { members.insert(user) }

    /// What a request does to one record several times is one change.
    mutating func add(_ change: RecordChange) {
        zones[change.zone] = change.id
        guard let earlier = records.firstIndex(where: { $0.record == change.record }) else {
            records.append(change)
            return
        }
        let first = records.remove(at: earlier)
        // What nobody has seen come need not be seen to go.
        if first.reason == .create && change.reason == .delete { return }
        records.append(first.reason == .create ? first : change)
    }
}
