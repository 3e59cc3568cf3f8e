import CumulusKit

/// Anna's album of two grandchildren, one of whom she shares with Ben.
struct ShareGrandchild {
    let album: Album
    let photo: Photo

    func play() async throws -> Link {
        let (stage, database) = (album.stage, album.owner.privateCloudDatabase)
        try await database.makeEmpty(Album.zone)
        stage.want("Anna keeps memories of Mia and of Jonas.")
        let mia = album.record("Grandchild", Album.mia, ["name": "Mia"])
        let records = [
            mia, album.record("Grandchild", Album.jonas, ["name": "Jonas"]),
            album.record(
                "Memory", "memory-steps", below: Album.mia,
                ["text": "First steps, in the kitchen", "photo": CKAsset(data: photo.bytes)]),
            album.record("Memory", "memory-tooth", below: Album.jonas, ["text": "The first tooth"]),
        ]
        try await stage.succeed("saved") { try await database.write(records) }

        stage.want("She shares Mia with Ben, who may write too.")
        let share = CKShare(rootRecord: mia)
        share.title = "Mia"
        share.addParticipant(.init(emailAddress: album.guestAddress, permission: .readWrite))
        try await database.save(share)
        return try Link(to: share, "an album for Ben: sign in as \(album.guestAddress)")
    }
}
