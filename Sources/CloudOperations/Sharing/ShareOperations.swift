import CloudAccounts
import CloudEngine
package import CloudModel
import CloudStore

/// Operations on an environment's shares.
package enum ShareOperations {
    package static let list = AdminOperation<NumberedEnvironmentPage, Page<ShareInfo>>(
        .get("shares", .recordsRead, inside: .environment), OperationText("listShares", "All shares, oldest first."),
        audit: .look("looked at shares")
    ) { call, input in
        let (place, limit) = (try await call.place(input.place), Int(input.page.limit))
        let found = try await place.store.browsing.shares(after: input.page.after ?? 0, limit: limit + 1)
        var shares: [ShareInfo] = []
        for share in found { shares.append(try await info(share, place, call)) }
        return Page(shares, limit: limit) { String($0.id) }
    }

    /// A share with its link's page settings.
    static func info(_ share: StoredShare, _ place: EnvironmentPlace, _ call: OperationCall) async throws -> ShareInfo {
        let link = try await place.store.pageSettings.find(share.shortGUID, owner: share.zone.owner)
        return ShareInfo(share, link, now: call.workplace.folder.now())
    }

    /// Stops a share, like the owner's deletion of its share record. Nothing else is deleted.
    package static let stop = AdminOperation<ShareChoice, Done>(
        .delete("shares/{shortGUID}", .recordsWrite, inside: .environment),
        OperationText("stopShare", "Stop a share. No record but the share's own is deleted."),
        audit: .change("stopped a share")
    ) { call, input in
        let (place, guid) = (try await call.place(input.place), input.shortGUID)
        guard let share = try await place.store.sharePages.share(guid), share.shortGUID == guid else {
            throw ServerError(.notFound, "there is no share '\(Naming.shown(guid))'", .missing(.share))
        }
        let owner = Person(userRecordName: share.owner)
        try await place.store.shares.end(
            guid, as: owner, limits: call.workplace.limits, revealRefusal: call.identity.revealRefusal)
        return Done()
    }
}

package struct ShareChoice: OperationInput {
    package let place: EnvironmentAddress
    package let shortGUID: String

    package static let fields = InputFields(
        Self.init, .group(\.place), .text("shortGUID", \.shortGUID, "The share's short GUID."))
}

package struct ShareInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminShare", "A share.",
        [
            "recordName": "The shared record; left out for a shared zone.",
            "isOpen": "Whether the share's link shows a page: neither taken down nor expired.",
        ])

    package let id: Int64
    package let shortGUID: String
    package let title: String?
    package let zone: String
    package let ownerRecordName: String
    /// The shared record; nil for a shared zone.
    package let recordName: String?
    package let publicPermission: String
    package let participants: [ParticipantInfo]
    /// Whether the share's link shows a page: neither taken down nor expired.
    package let isOpen: Bool
    package let expires: Timestamp?
    package let hasPassword: Bool

    package struct ParticipantInfo: Codable, Hashable, Sendable {
        package let userRecordName: String?
        package let email: String?
        package let type: String
        package let status: String
        package let permission: String
    }

    init(_ share: StoredShare, _ link: PageSettings?, now: Timestamp) {
        id = share.id
        shortGUID = share.shortGUID
        title = share.title
        zone = share.zone.name
        ownerRecordName = share.zone.owner
        recordName = share.root
        publicPermission = share.state.publicPermission.rawValue
        participants = share.state.participants.map {
            ParticipantInfo(
                userRecordName: $0.identity.userRecordName, email: $0.identity.lookup.email,
                type: $0.type.rawValue, status: $0.status.rawValue, permission: $0.permission.rawValue)
        }
        isOpen = link?.isOpen(at: now) ?? true
        expires = link?.expires
        hasPassword = link?.hasPassword ?? false
    }
}
