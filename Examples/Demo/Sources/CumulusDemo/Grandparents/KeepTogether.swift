/// What each of the two does, seen by the other.
struct KeepTogether {
    let album: Album

    private var stage: Stage { album.stage }

    func play() async throws {
        // The link is the one the share record carries; an app would have got it in a message.
        stage.want("Ben opens Anna's link.")
        let share = try await stage.ask(
            album.owner, "private/records/lookup",
            ["zoneID": Album.zone, "records": [["recordName": .string(Album.grandchild)]]], show: ["name"])
        let link = Link(url: share.records.first?.json["shortGUID"]?.string ?? "", what: "")
        let accepted = try await stage.ask(album.guest, "public/records/accept", .opening(link))
        try stage.check("accepted", accepted.opened?["participantStatus"]?.string, is: "ACCEPTED")

        stage.want("His shared database has Anna's zone now.")
        let zones = try await stage.ask(album.guest, "shared/zones/list", [:])
        let owners = zones.zones.compactMap { $0["zoneID"]?["ownerRecordName"]?.string }
        try stage.check("with Anna as its owner", owners, is: [album.owner.user])
        stage.want("He sees Mia, and nothing of Jonas.")
        var guest = try await album.changes(forGuest: true, since: nil)
        let records = guest.records.filter { $0.json["recordType"]?.string != "cloudkit.share" }.map(\.name).sorted()
        try stage.check("exactly the shared tree", records, is: [Album.grandchild, "memory-steps"])
        var owner = try await album.changes(forGuest: false, since: nil)

        stage.want("Ben adds a memory.")
        try await album.write(
            asGuest: true, "saved",
            Album.creating("Memory", "memory-song", parent: Album.grandchild, ["text": .field("She sang all day")]))
        owner = try await album.changes(forGuest: false, since: owner.token)
        try stage.check("Anna's feed has it", owner.records.map(\.name), is: ["memory-song"])

        stage.want("Anna moves a memory of Jonas to Mia, and one of Mia to Jonas.")
        try await album.write(asGuest: false, "moved in", Album.moving("memory-tooth", under: Album.grandchild))
        try await album.write(asGuest: false, "moved out", Album.moving("memory-steps", under: "grandchild-jonas"))
        guest = try await album.changes(forGuest: true, since: guest.token)
        let seen = guest.records.map { "\($0.name)\($0.isDeleted ? " deleted" : "")" }.sorted()
        try stage.check(
            "one appears for Ben, one goes", seen, is: ["memory-song", "memory-steps deleted", "memory-tooth"])

        stage.want("He tries to write one beside the tree.")
        try await album.write(
            asGuest: true, "not his to do", code: "ACCESS_DENIED",
            Album.creating("Memory", "memory-alone", parent: nil, ["text": .field("Nobody's")]))
    }
}
