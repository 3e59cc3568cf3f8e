import CumulusKit

/// Anna stops sharing one grandchild, and shares the whole album instead.
struct ShareEverything {
    let album: Album
    let link: Link

    private var stage: Stage { album.stage }

    func play() async throws -> Link {
        let (guest, database) = (album.guest, album.owner.privateCloudDatabase)
        stage.want("Ben comes back, and his tablet notes how far it has read.")
        let accepted = try await stage.accept(guest.shareMetadata(for: link.url), by: guest)
        let before = try await guest.sharedCloudDatabase.databaseChanges(since: nil)
        try stage.check("Anna's zone is there", before.modifications.map(\.zoneID), is: [album.guestZone])

        stage.want("Anna stops sharing Mia.")
        let share = CKRecord.ID(recordName: accepted.share.name, zoneID: Album.zone)
        try await stage.succeed("done") { try await database.deleteRecord(withID: share) }
        let after = try await guest.sharedCloudDatabase.databaseChanges(since: before.changeToken)
        try stage.check(
            "Ben's tablet hears that the zone is gone",
            after.deletions.map(\.zoneID), is: [album.guestZone])
        try stage.check("and of nothing else", after.modifications.count, is: 0)
        try stage.check("the page says so too", try await stage.server.open(link).status, is: 410)
        return try await shareZone()
    }

    private func shareZone() async throws -> Link {
        stage.want("She shares the whole album with him, to look at.")
        let share = CKShare(recordZoneID: Album.zone)
        share.title = "Our grandchildren"
        share.addParticipant(.init(emailAddress: album.guestAddress, permission: .readOnly))
        try await album.owner.privateCloudDatabase.save(share)
        let link = try Link(to: share, "an album for Ben: sign in as \(album.guestAddress)")
        try await stage.accept(album.guest.shareMetadata(for: link.url), by: album.guest)
        let all = try await album.changes(forGuest: true).records
        let children = all.filter { $0.recordType == "Grandchild" }.map(\.name).sorted()
        try stage.check("he sees Jonas as well as Mia", children, is: [Album.jonas, Album.mia])
        try await stage.refuse("and cannot write", .permissionFailure) {
            try await album.write(asGuest: true, "memory-no", below: Album.mia, ["text": "No"])
        }
        return link
    }
}
