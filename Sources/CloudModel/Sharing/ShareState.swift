/// The share apart from its record's fields: participants, invitations and access (reference B §9).
package struct ShareState: Hashable, Sendable {
    package var publicPermission: SharePermission
    /// The owner first, then the others in joining order.
    package var participants: [Participant]
    /// True if strangers with the link get `NOT_FOUND` and cannot ask for access.
    package var deniesAccessRequests: Bool
    /// People whose access request awaits an answer.
    package var requesters: [ShareIdentity]
    /// User record names of people barred from requesting access.
    package var blocked: [String]

    /// A new share of its owner.
    package init(owner: ShareIdentity, ownerID: String) {
        publicPermission = .none
        participants = [
            Participant(id: ownerID, type: .owner, status: .accepted, permission: .readWrite, identity: owner)
        ]
        deniesAccessRequests = true
        requesters = []
        blocked = []
    }

    package var owner: Participant { participants[0] }

    /// The user's entry, with any status.
    package func participant(user: String) -> Participant? {
        participants.first { user.isExactly($0.identity.userRecordName) }
    }

    // MARK: Stored form

    package var stored: [UInt8] {
        var writer = JSONWriter(capacity: 256 * participants.count + 128)
        writer.object {
            $0.member("publicPermission", publicPermission.rawValue)
            $0.key("participants")
            $0.array { for participant in participants { participant.writeStored(to: &$0) } }
            $0.member("denyAccessRequests", deniesAccessRequests)
            $0.key("requesters")
            $0.array { for requester in requesters { requester.write(to: &$0) } }
            $0.key("blocked")
            $0.array { for user in blocked { $0.string(user) } }
        }
        return writer.bytes
    }

    /// - Returns: nil if the bytes are no stored share, a sign of a damaged database.
    package init?(stored bytes: [UInt8]) {
        guard let object = (try? JSONParser.parse(bytes))?.object,
            let permission = object["publicPermission"]?.string.flatMap(SharePermission.init(rawValue:)),
            let list = object["participants"]?.array,
            case let participants = list.compactMap(Participant.init(stored:)),
            participants.count == list.count, participants.first?.type == .owner
        else { return nil }
        publicPermission = permission
        self.participants = participants
        deniesAccessRequests = object["denyAccessRequests"]?.bool ?? true
        requesters = (object["requesters"]?.array ?? []).compactMap { try? ShareIdentity($0, at: "stored") }
        blocked = (object["blocked"]?.array ?? []).compactMap(\.string)
    }
}
