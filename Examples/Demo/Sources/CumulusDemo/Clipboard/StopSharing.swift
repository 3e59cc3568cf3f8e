import CumulusKit

/// A link that worked a moment ago, and does not any more.
struct StopSharing {
    let owner: CKContainer
    let friend: CKContainer
    let link: Link
    let stage: Stage

    func play() async throws {
        stage.want("Ben opens the surprise, which anybody with the link may.")
        let accepted = try await stage.accept(friend.shareMetadata(for: link.url), by: friend)
        try stage.check("as one of the public", accepted.participantRole, is: .publicUser)
        try stage.check("so is a stranger's browser", try await stage.server.open(link).status, is: 200)

        stage.want("Anna stops sharing it.")
        let share = CKRecord.ID(recordName: accepted.share.name, zoneID: ShareItems.zone)
        try await stage.succeed("done") { try await owner.privateCloudDatabase.deleteRecord(withID: share) }
        let secret = CKRecord.ID(recordName: "item-secret", zoneID: accepted.share.recordID.zoneID)
        let gone = try await friend.sharedCloudDatabase.records(for: [secret])[secret]?.code
        try stage.check("for Ben it is gone", gone, is: .unknownItem)
        try stage.check("and the page says so", try await stage.server.open(link).status, is: 410)
    }
}
