/// A person's entry in a share (reference B §9.3).
package struct Participant: Hashable, Sendable {
    /// Unique within the share.
    package var id: String
    package var type: ParticipantType
    package var status: AcceptanceStatus
    package var permission: SharePermission
    package var identity: ShareIdentity
    /// Free text from first-party apps, stored and echoed.
    package var customRole: String?
    package var isApprovedRequester: Bool
    /// The secret token of a one-time link for this entry; nil without a link (reference B §9.10).
    package var link: String?

    package init(
        id: String, type: ParticipantType, status: AcceptanceStatus, permission: SharePermission,
        identity: ShareIdentity, customRole: String? = nil, isApprovedRequester: Bool = false, link: String? = nil
    ) {
        self.id = id
        self.type = type
        self.status = status
        self.permission = permission
        self.identity = identity
        self.customRole = customRole
        self.isApprovedRequester = isApprovedRequester
        self.link = link
    }

    /// True if the entry gives its user access to the share.
    package var isMember: Bool { status == .accepted && permission != .none && identity.userRecordName != nil }

    /// True if the entry lets its user manage participants and access requests (reference B §9.5).
    package var isManager: Bool { type == .owner || type == .administrator && status == .accepted }

    /// True if the entry's user may see the owner's address: invited people may, people joining by the public link may not.
    package var seesOwnerAddress: Bool { type != .publicUser }

    /// Appends the participant dictionary.
    package func write(to writer: inout JSONWriter, showsLookup: Bool = true) {
        writer.object { writeMembers(to: &$0, showsLookup: showsLookup) }
    }

    private func writeMembers(to writer: inout JSONWriter, showsLookup: Bool) {
        writer.member("participantId", id)
        writer.member("type", type.rawValue)
        writer.member("acceptanceStatus", status.rawValue)
        writer.member("permission", permission.rawValue)
        writer.key("userIdentity")
        identity.write(to: &writer, showsLookup: showsLookup)
        writer.member("customRole", customRole)
        if isApprovedRequester { writer.member("isApprovedRequester", true) }
    }

    // MARK: Stored form

    func writeStored(to writer: inout JSONWriter) {
        writer.object {
            writeMembers(to: &$0, showsLookup: true)
            $0.member("link", link)
        }
    }

    init?(stored json: JSONValue) {
        guard let object = json.object, let id = object["participantId"]?.string,
            let type = object["type"]?.string.flatMap(ParticipantType.init(rawValue:)),
            let status = object["acceptanceStatus"]?.string.flatMap(AcceptanceStatus.init(rawValue:)),
            let permission = object["permission"]?.string.flatMap(SharePermission.init(rawValue:)),
            let identity = try? ShareIdentity(object["userIdentity"], at: "stored")
        else { return nil }
        self.init(
            id: id, type: type, status: status, permission: permission, identity: identity,
            customRole: object["customRole"]?.string,
            isApprovedRequester: object["isApprovedRequester"]?.bool ?? false, link: object["link"]?.string)
    }
}
