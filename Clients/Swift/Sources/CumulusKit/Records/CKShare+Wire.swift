extension CKShare.Members {
    init(_ json: JSON, _ origin: String?) {
        publicPermission = (json["publicPermission"]?.string).flatMap(CKShare.ParticipantPermission.init) ?? .none
        participants = json["participants"]?.array?.map(CKShare.Participant.init(wire:)) ?? []
        owner = json["owner"].map(CKShare.Participant.init(wire:))
        currentUser = json["currentUserParticipant"].map(CKShare.Participant.init(wire:))
        self.origin = origin
    }
}

extension CKShare {
    /// A share's wire members, besides those of every record.
    func wireMembers(isNew: Bool) -> [String: JSON?] {
        let (members, root) = members.withLock { ($0, $0.root) }
        var json: [String: JSON?] = [:]
        if isNew || members.permissionChanged { json["publicPermission"] = .string(members.publicPermission.rawValue) }
        if isNew || members.participantsChanged {
            json["participants"] = .array(members.participants.map(\.wire))
        }
        if isNew, let root {
            json["forRecord"] = .members([
                "recordName": .string(root.recordID.recordName),
                "recordChangeTag": root.recordChangeTag.map(JSON.string),
            ])
        }
        return json
    }
}
