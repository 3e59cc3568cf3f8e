/// Each of the two is woken by what the other does.
struct HearOfEachOther {
    let album: Album

    private var stage: Stage { album.stage }

    func play() async throws {
        let devices = Album(
            owner: album.owner.device("phone"), guest: album.guest.device("tablet"), guestAddress: album.guestAddress,
            stage: stage)
        stage.want("Neither wants to look every minute whether there is something new.")
        try await stage.subscribe(devices.owner, in: "private", [.watchingZone(Album.zone, as: "memories")])
        try await stage.subscribe(devices.guest, in: "shared", [.watchingDatabase(as: "shared-with-me")])
        let ownerLine = try await stage.connect(devices.owner)
        let guestLine = try await stage.connect(devices.guest)
        let seen = try await devices.changes(forGuest: true, since: nil).token

        stage.want("Ben adds a memory.")
        try await stage.hear(["memories: something in the zone Memories"], on: ownerLine) {
            try await devices.write(
                asGuest: true, "saved",
                Album.creating("Memory", "memory-kite", parent: Album.grandchild, ["text": .field("The red kite")]))
        }
        stage.want("Anna corrects it.")
        try await stage.hear(["shared-with-me: something in the shared database"], on: guestLine) {
            try await devices.write(
                asGuest: false, "saved",
                [
                    "operationType": "forceUpdate",
                    "record": [
                        "recordType": "Memory", "recordName": "memory-kite",
                        "fields": ["text": .field("The blue kite")],
                    ],
                ])
        }
        let news = try await devices.changes(forGuest: true, since: seen).records
        try stage.check("Ben's tablet fetches it", news.map { $0.string("text") }, is: ["The blue kite"])
    }
}
