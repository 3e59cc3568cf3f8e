/// The owner name that stands for the signed-in user.
public let CKCurrentUserDefaultName = "__defaultOwner__"

extension CKRecord {
    /// A record name with its zone's ID.
    public struct ID: Sendable, Hashable, Codable {
        public let recordName: String
        public let zoneID: CKRecordZone.ID

        public init(recordName: String = CKRecord.newName(), zoneID: CKRecordZone.ID = .default) {
            self.recordName = recordName
            self.zoneID = zoneID
        }
    }
}

/// A zone of a database.
public struct CKRecordZone: Sendable, Hashable {
    public struct ID: Sendable, Hashable, Codable {
        public static let defaultZoneName = "_defaultZone"
        public static let `default` = ID(zoneName: defaultZoneName)

        public let zoneName: String
        /// ``CKCurrentUserDefaultName`` in the user's own databases, the owner's record name in the shared database.
        public let ownerName: String

        public init(zoneName: String, ownerName: String = CKCurrentUserDefaultName) {
            self.zoneName = zoneName
            self.ownerName = ownerName
        }
    }

    public struct Capabilities: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public static let fetchChanges = Capabilities(rawValue: 1)
        public static let atomic = Capabilities(rawValue: 2)
        public static let sharing = Capabilities(rawValue: 4)

        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public let zoneID: ID

    public init(zoneID: ID) { self.zoneID = zoneID }
    public init(zoneName: String) { self.init(zoneID: ID(zoneName: zoneName)) }

    public static func `default`() -> CKRecordZone { CKRecordZone(zoneID: .default) }

    /// The zone's capabilities: the default zone supports no atomic batches, changes or shares.
    public var capabilities: Capabilities {
        zoneID.zoneName == ID.defaultZoneName ? [] : [.fetchChanges, .atomic, .sharing]
    }
}

extension CKRecordZone.ID: CustomStringConvertible {
    public var description: String {
        ownerName == CKCurrentUserDefaultName ? zoneName : "\(zoneName) of \(ownerName)"
    }

    /// The wire form, which omits the owner's name for the user's own zones.
    var wire: JSON {
        .members([
            "zoneName": .string(zoneName),
            "ownerRecordName": ownerName == CKCurrentUserDefaultName ? nil : .string(ownerName),
        ])
    }

    /// Reads the wire form. In public and private databases the owner becomes the default name, so that IDs of the same zone
    /// are equal.
    init?(wire: JSON?, in scope: CKDatabase.Scope) {
        guard let name = wire?["zoneName"]?.string else { return nil }
        let owner = wire?["ownerRecordName"]?.string
        self.init(
            zoneName: name, ownerName: scope == .shared ? owner ?? CKCurrentUserDefaultName : CKCurrentUserDefaultName)
    }
}
