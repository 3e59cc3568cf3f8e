import CumulusKit

/// Ben joins by a link that lets him read, and leaves.
struct ReadAndLeave {
    let friend: CKContainer
    let link: Link
    let stage: Stage

    func play() async throws {
        let shared = friend.sharedCloudDatabase
        stage.want("Ben takes the tide tables into his app, as anybody with the link may.")
        let accepted = try await stage.accept(friend.shareMetadata(for: link.url), by: friend)
        try stage.check("to read", accepted.participantPermission, is: .readOnly)

        stage.want("He tries to give them another name.")
        let zone = accepted.share.recordID.zoneID
        let bookmark = CKRecord("ClipboardItem", "item-bookmark", in: zone, ["name": "Mine"])
        try await stage.refuse("not his to do", .permissionFailure) {
            try await shared.write([bookmark], .changedKeys, atomically: false)
        }

        stage.want("He leaves.")
        try await stage.succeed("done") { try await shared.deleteRecord(withID: accepted.share.recordID) }
        try await stage.refuse("he sees them no more", .unknownItem) {
            try await shared.record(for: bookmark.recordID)
        }
        try stage.check("Anna's link goes on", try await stage.server.open(link).status, is: 200)
    }
}
