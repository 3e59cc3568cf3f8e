/// Anna's album of two grandchildren, one of whom she shares with Ben.
struct ShareGrandchild {
    let album: Album
    let photos: [Photo]

    private var stage: Stage { album.stage }

    func play() async throws -> Link {
        try await album.owner.emptyZone(Album.zone)
        stage.want("Anna keeps memories of Mia and of Jonas.")
        let picture = try await album.owner.upload(
            photos[photos.count - 1].bytes, type: "Memory", field: "photo", to: "private", zone: Album.zone)
        let made = try await stage.ask(
            album.owner, "private/records/modify",
            [
                "zoneID": Album.zone, "atomic": true,
                "operations": [
                    Album.creating("Grandchild", Album.grandchild, parent: nil, ["name": .field("Mia")]),
                    Album.creating("Grandchild", "grandchild-jonas", parent: nil, ["name": .field("Jonas")]),
                    Album.creating(
                        "Memory", "memory-steps", parent: Album.grandchild,
                        ["text": .field("First steps, in the kitchen"), "photo": .field(uploaded: picture)]),
                    Album.creating(
                        "Memory", "memory-tooth", parent: "grandchild-jonas", ["text": .field("The first tooth")]),
                ],
            ], show: ["name", "text"])
        try stage.check("saved", made.records.map(\.errorCode), is: [nil, nil, nil, nil])

        stage.want("She shares Mia with Ben, who may write too.")
        let shared = try await stage.ask(
            album.owner, "private/records/modify",
            [
                "zoneID": Album.zone, "atomic": true,
                "operations": [
                    .sharing(
                        Album.grandchild, tag: made.records.first?.tag ?? "", title: "Mia", permission: "NONE",
                        invited: [.invitation(album.guestAddress)])
                ],
            ], show: ["cloudkit.title"])
        guard let share = shared.records.first, share.errorCode == nil else {
            throw Mismatch(what: "sharing", expected: "a share", got: shared.body.text)
        }
        return album.owner.link(
            to: share, titled: "Mia", what: "an album for Ben: sign in as \(album.guestAddress)")
    }
}
