import CumulusKit

/// Each of the two is woken by what the other does.
struct HearOfEachOther {
    let album: Album

    func play() async throws {
        let stage = album.stage
        let devices = Album(
            owner: album.owner.device("phone"), guest: album.guest.device("tablet"), guestAddress: album.guestAddress,
            guestZone: album.guestZone, stage: stage)
        stage.want("Neither wants to look every minute whether there is something new.")
        try await stage.subscribe(
            devices.owner, in: "private", [.watchingZone(Album.zone.zoneName, as: "memories")])
        try await stage.subscribe(devices.guest, in: "shared", [.watchingDatabase(as: "shared-with-me")])
        let ownerLine = try await stage.connect(devices.owner)
        let guestLine = try await stage.connect(devices.guest)
        let seen = try await devices.changes(forGuest: true).changeToken

        stage.want("Ben adds a memory.")
        try await stage.hear(["memories: something in the zone Memories"], on: ownerLine) {
            try await stage.succeed("saved") {
                try await devices.write(asGuest: true, "memory-kite", below: Album.mia, ["text": "The red kite"])
            }
        }
        stage.want("Anna corrects it.")
        try await stage.hear(["shared-with-me: something in the shared database"], on: guestLine) {
            try await stage.succeed("saved") {
                try await devices.write(asGuest: false, "memory-kite", ["text": "The blue kite"], .changedKeys)
            }
        }
        let news = try await devices.changes(forGuest: true, since: seen).records
        try stage.check("Ben's tablet fetches it", news.map { $0.string("text") }, is: ["The blue kite"])
    }
}
