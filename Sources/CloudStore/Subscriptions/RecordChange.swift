import CloudModel

/// A change to a record whose type has query subscriptions.
struct RecordChange {
    /// The notification id, equal in all notifications of the change.
    let id: String
    let record: Int64
    let name: String
    let zone: Int64
    let zoneID: ZoneID
    let type: RecordType
    let reason: FiringReasons
    /// Firings of a deletion, found while the record existed; nil for a record that still exists.
    var departures: [Firing]?

    init(_ change: ChangedRecord) {
        id = RandomUUID.make()
        record = change.id
        name = change.name
        zone = change.zoneRow
        zoneID = change.zone
        type = change.type
        reason = change.reason
    }
}
