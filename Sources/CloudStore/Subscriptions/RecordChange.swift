import CloudModel

/// One change to a record of a type that is watched.
struct RecordChange {
    /// The same for all notifications of it.
    let id: String
    let record: Int64
    let name: String
    let zone: Int64
    let zoneID: ZoneID
    let type: RecordType
    let reason: FiringReasons
    /// The firings that tell of its deletion, found while it was there; nil for what is there in the end.
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
