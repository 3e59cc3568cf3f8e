import CloudModel

/// A change to a record, for those who are told of it.
struct ChangedRecord {
    let reason: FiringReasons
    /// Its row; gone at the end of the request when it is deleted.
    let id: Int64
    let name: String
    let type: RecordType
    let zone: ZoneID
    let zoneRow: Int64
}

/// Hears of what requests change, as they change it.
protocol ChangeListener: AnyObject {
    /// A zone has changed, come or gone.
    func changed(zone: Int64)
    /// A share has changed for its members.
    func changed(share: Int64)
    /// A share has come or gone for a user.
    func changed(memberships user: String)
    /// Records have come or changed, or are about to go.
    func changed(_ records: [ChangedRecord], _ transaction: WriteTransaction) throws
}
