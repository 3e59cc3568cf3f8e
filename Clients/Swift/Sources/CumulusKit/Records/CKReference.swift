extension CKRecord {
    public enum ReferenceAction: UInt, Sendable, Codable {
        case none = 0
        /// Deleting the target also deletes the referring record.
        case deleteSelf = 1
        /// The target must exist, and deleting it is refused.
        case validate = 2
    }

    /// A reference to another record of the same zone.
    public struct Reference: Sendable, Hashable, Codable {
        public let recordID: ID
        public let action: ReferenceAction

        public init(recordID: ID, action: ReferenceAction) {
            self.recordID = recordID
            self.action = action
        }

        public init(record: CKRecord, action: ReferenceAction) {
            self.init(recordID: record.recordID, action: action)
        }

        var wire: JSON {
            let name =
                switch action {
                case .none: "NONE"
                case .deleteSelf: "DELETE_SELF"
                case .validate: "VALIDATE"
                }
            return ["recordName": .string(recordID.recordName), "action": .string(name)]
        }

        /// - Parameter zone: the zone of the referring record.
        init?(wire: JSON, zone: CKRecordZone.ID) {
            guard let name = wire["recordName"]?.string else { return nil }
            let action: ReferenceAction =
                switch wire["action"]?.string {
                case "DELETE_SELF": .deleteSelf
                case "VALIDATE": .validate
                default: .none
                }
            self.init(recordID: ID(recordName: name, zoneID: zone), action: action)
        }
    }
}
