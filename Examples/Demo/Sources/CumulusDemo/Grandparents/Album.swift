import CumulusKit

/// The album both grandparents keep (scenario 3): who they are, and how each of them reaches it.
struct Album {
    static let zone = CKRecordZone.ID(zoneName: "Memories")
    static let mia = "grandchild-mia"
    static let jonas = "grandchild-jonas"

    let owner: CKContainer
    let guest: CKContainer
    let guestAddress: String
    /// Anna's zone, as Ben names it.
    let guestZone: CKRecordZone.ID
    let stage: Stage

    func database(asGuest: Bool) -> CKDatabase {
        asGuest ? guest.sharedCloudDatabase : owner.privateCloudDatabase
    }

    /// A record as one of the two names it, below another one or beside all of them.
    func record(
        asGuest: Bool = false, _ type: CKRecord.RecordType, _ name: String, below parent: String? = nil,
        _ fields: [CKRecord.FieldKey: any CKRecordValueProtocol] = [:]
    ) -> CKRecord {
        let zone = asGuest ? guestZone : Self.zone
        let record = CKRecord(type, name, in: zone, fields)
        if let parent { record.setParent(CKRecord.ID(recordName: parent, zoneID: zone)) }
        return record
    }

    /// Writes a new memory, or with `changedKeys` what changes of one, whatever is there.
    func write(
        asGuest: Bool, _ name: String, below parent: String? = nil,
        _ fields: [CKRecord.FieldKey: any CKRecordValueProtocol] = [:],
        _ policy: CKDatabase.SavePolicy = .ifServerRecordUnchanged
    ) async throws {
        let memory = record(asGuest: asGuest, "Memory", name, below: parent, fields)
        try await database(asGuest: asGuest).write([memory], policy, atomically: false)
    }

    /// What is new for one of the two since `token`.
    func changes(
        forGuest: Bool, since token: CKServerChangeToken? = nil
    ) async throws -> CKDatabase.RecordZoneChange {
        try await database(asGuest: forGuest)
            .recordZoneChanges(inZoneWith: forGuest ? guestZone : Self.zone, since: token)
    }
}
