import CumulusKit

/// Ben leaves; Anna sees it; the same link brings him back.
struct LeaveAndReturn {
    let album: Album
    let link: Link

    func play() async throws {
        let (stage, guest, database) = (album.stage, album.guest, album.owner.privateCloudDatabase)
        stage.want("Ben leaves the album.")
        let joined = try await guest.shareMetadata(for: link.url).share
        try await stage.succeed("done") {
            try await guest.sharedCloudDatabase.deleteRecord(withID: joined.recordID)
        }
        let zones = try await guest.sharedCloudDatabase.allRecordZones()
        try stage.check("Anna's zone is gone from his shared database", zones.count, is: 0)

        stage.want("Anna looks who is still there.")
        let share = try await database.record(for: CKRecord.ID(recordName: joined.name, zoneID: Album.zone))
        guard let share = share as? CKShare else {
            throw Mismatch(what: "the share", expected: "a CKShare", got: share.recordType)
        }
        let accepted = share.participants.filter { $0.acceptanceStatus == .accepted }
        try stage.check("only herself", accepted.map(\.role), is: [.owner])

        stage.want("She invites him once more.")
        share.addParticipant(.init(emailAddress: album.guestAddress, permission: .readWrite))
        try await stage.succeed("invited") { try await database.save(share) }
        let again = try await guest.shareMetadata(for: link.url)
        try stage.check("the link is the same", again.participantStatus, is: .pending)
    }
}
