import CumulusKit

/// The list that the last app keeps: in its container the server misbehaves on purpose.
enum Shopping {
    static let zone = CKRecordZone.ID(zoneName: "Shopping")
    static let type = "Item"

    static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone) }
}
