public import Foundation

/// Shares a record with its descendants, or a zone, with other users.
public final class CKShare: CKRecord, @unchecked Sendable {
    static let type = "cloudkit.share"
    static let zoneShareName = "cloudkit.zoneshare"

    public enum ParticipantPermission: String, Sendable {
        case unknown = "UNKNOWN"
        case none = "NONE"
        case readOnly = "READ_ONLY"
        case readWrite = "READ_WRITE"
    }

    struct Members: Sendable {
        var publicPermission = ParticipantPermission.none
        var participants: [Participant] = []
        var owner: Participant?
        var currentUser: Participant?
        var participantsChanged = false
        var permissionChanged = false
        /// The root record, until the first save.
        var root: CKRecord?
        var origin: String?
    }

    let members: Mutex<Members>

    /// Creates a share of a record and its children. Save the share and the record in the same call.
    public init(rootRecord: CKRecord, shareID: CKRecord.ID? = nil) {
        let id = shareID ?? ID(recordName: "Share-\(CKRecord.newName())", zoneID: rootRecord.recordID.zoneID)
        members = Mutex(Members(root: rootRecord))
        super.init(recordType: Self.type, recordID: id, state: State())
    }

    /// Creates a share of a whole zone.
    public init(recordZoneID: CKRecordZone.ID) {
        members = Mutex(Members())
        super.init(
            recordType: Self.type, recordID: ID(recordName: Self.zoneShareName, zoneID: recordZoneID), state: State())
    }

    init(recordID: CKRecord.ID, state: State, json: JSON = .null, origin: String? = nil) {
        members = Mutex(Members(json, origin))
        super.init(recordType: Self.type, recordID: recordID, state: state)
    }

    public var publicPermission: ParticipantPermission {
        get { members.withLock { $0.publicPermission } }
        set {
            members.withLock { members in
                members.publicPermission = newValue
                members.permissionChanged = true
            }
        }
    }

    public var participants: [Participant] { members.withLock { $0.participants } }
    public var owner: Participant? { members.withLock { $0.owner } }
    public var currentUserParticipant: Participant? { members.withLock { $0.currentUser } }

    public func addParticipant(_ participant: Participant) {
        members.withLock { members in
            members.participants.removeAll { $0.isSamePerson(as: participant) }
            members.participants.append(participant)
            members.participantsChanged = true
        }
    }

    public func removeParticipant(_ participant: Participant) {
        members.withLock { members in
            members.participants.removeAll { $0.isSamePerson(as: participant) }
            members.participantsChanged = true
        }
    }

    /// The link to send; nil before the first save.
    public var url: URL? {
        let guid = state.withLock { $0.system.shortGUID }
        guard let guid, let origin = members.withLock({ $0.origin }) else { return nil }
        return URL(string: "\(origin)/share/\(guid)")
    }

    public var title: String? {
        get { self["cloudkit.title"] }
        set { self["cloudkit.title"] = newValue }
    }

    func take(_ server: CKShare) {
        let new = server.members.withLock { $0 }
        members.withLock { $0 = new }
    }
}
