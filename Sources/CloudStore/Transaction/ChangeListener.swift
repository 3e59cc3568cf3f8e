import CloudModel

/// A change to a record, for listeners.
struct ChangedRecord {
    let reason: FiringReasons
    /// The record's row; a deleted record's row is gone at the end of the request.
    let id: Int64
    let name: String
    let type: RecordType
    let zone: ZoneID
    let zoneRow: Int64
}

/// Receives changes while requests make them.
protocol ChangeListener: AnyObject {
    /// Called when a zone was changed, created or deleted.
    func changed(zone: Int64)
    /// Called when a share has changed for its members.
    func changed(share: Int64)
    /// Called when a user has gained or lost a share.
    func changed(memberships user: String)
    /// Called after records are created or changed, and before records are deleted.
    func changed(_ records: [ChangedRecord], _ transaction: WriteTransaction) throws
}
