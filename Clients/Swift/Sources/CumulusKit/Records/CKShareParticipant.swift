extension CKShare {
    public enum ParticipantRole: String, Sendable {
        case unknown = "UNKNOWN"
        case owner = "OWNER"
        case administrator = "ADMINISTRATOR"
        case privateUser = "USER"
        case publicUser = "PUBLIC_USER"
    }

    public enum ParticipantAcceptanceStatus: String, Sendable {
        case unknown = "UNKNOWN"
        case pending = "INVITED"
        case accepted = "ACCEPTED"
        case removed = "REMOVED"
    }

    /// A participant of a share.
    public struct Participant: Sendable, Hashable {
        public let participantID: String?
        public let userIdentity: CKUserIdentity
        public var role: ParticipantRole
        public var permission: ParticipantPermission
        public let acceptanceStatus: ParticipantAcceptanceStatus

        /// Creates a participant to invite.
        public init(_ identity: CKUserIdentity, permission: ParticipantPermission = .readOnly) {
            participantID = nil
            userIdentity = identity
            role = .privateUser
            self.permission = permission
            acceptanceStatus = .pending
        }

        public init(emailAddress: String, permission: ParticipantPermission = .readOnly) {
            self.init(CKUserIdentity(lookupInfo: .emailAddress(emailAddress)), permission: permission)
        }

        init(wire: JSON) {
            participantID = wire["participantId"]?.string
            userIdentity = CKUserIdentity(wire: wire["userIdentity"] ?? .null)
            role = (wire["type"]?.string).flatMap(ParticipantRole.init) ?? .unknown
            permission = (wire["permission"]?.string).flatMap(ParticipantPermission.init) ?? .unknown
            acceptanceStatus = (wire["acceptanceStatus"]?.string).flatMap(ParticipantAcceptanceStatus.init) ?? .unknown
        }

        var wire: JSON {
            .members([
                "participantId": participantID.map(JSON.string), "type": .string(role.rawValue),
                "permission": .string(permission.rawValue), "acceptanceStatus": .string(acceptanceStatus.rawValue),
                "userIdentity": .members([
                    "userRecordName": (userIdentity.userRecordID?.recordName).map(JSON.string),
                    "lookupInfo": userIdentity.lookupInfo?.wire
                        ?? (userIdentity.userRecordID).map { ["userRecordName": .string($0.recordName)] },
                ]),
            ])
        }

        func isSamePerson(as other: Participant) -> Bool {
            if let id = participantID, let other = other.participantID { return id == other }
            if let id = userIdentity.userRecordID, let other = other.userIdentity.userRecordID { return id == other }
            return userIdentity.lookupInfo != nil && userIdentity.lookupInfo == other.userIdentity.lookupInfo
        }
    }
}
