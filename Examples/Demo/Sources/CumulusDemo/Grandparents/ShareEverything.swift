/// Anna stops sharing one grandchild, and shares the whole album instead.
struct ShareEverything {
    let album: Album
    let link: Link

    private var stage: Stage { album.stage }

    func play() async throws -> Link {
        stage.want("Ben comes back, and his tablet notes how far it has read.")
        let accepted = try await stage.ask(album.guest, "public/records/accept", .opening(link))
        try stage.check("accepted", accepted.opened?["participantStatus"]?.string, is: "ACCEPTED")
        let before = try await stage.ask(album.guest, "shared/changes/database", [:])
        try stage.check("Anna's zone is there", Self.zones(before), is: ["Memories"])

        stage.want("Anna stops sharing Mia.")
        let share = accepted.opened?["share"]?["recordName"] ?? ""
        try await album.write(
            asGuest: false, "done", ["operationType": "forceDelete", "record": ["recordName": share]])
        let after = try await stage.ask(
            album.guest, "shared/changes/database", ["syncToken": before.body["syncToken"] ?? ""])
        try stage.check("Ben's tablet hears that the zone is gone", Self.zones(after), is: ["Memories deleted"])
        try stage.check(
            "and the page says so", try await stage.open(album.owner.stranger, link).status, is: 410)
        return try await shareZone()
    }

    private func shareZone() async throws -> Link {
        stage.want("She shares the whole album with him, to look at.")
        let answer = try await stage.ask(
            album.owner, "private/records/modify",
            [
                "zoneID": Album.zone, "atomic": true,
                "operations": [
                    .sharingZone(
                        title: "Our grandchildren", invited: [.invitation(album.guestAddress, permission: "READ_ONLY")])
                ],
            ], show: ["cloudkit.title"])
        guard let share = answer.records.first, share.errorCode == nil else {
            throw Mismatch(what: "sharing the zone", expected: "a share", got: answer.body.text)
        }
        let link = album.owner.link(
            to: share, titled: "Our grandchildren",
            what: "an album for Ben: sign in as \(album.guestAddress)")
        let accepted = try await stage.ask(album.guest, "public/records/accept", .opening(link))
        try stage.check("Ben accepts", accepted.opened?["participantStatus"]?.string, is: "ACCEPTED")
        let all = try await album.changes(forGuest: true, since: nil)
        let children = all.records.filter { $0.json["recordType"]?.string == "Grandchild" }.map(\.name).sorted()
        try stage.check("he sees Jonas as well as Mia", children, is: ["grandchild-jonas", Album.grandchild])
        try await album.write(
            asGuest: true, "and cannot write", code: "ACCESS_DENIED",
            Album.creating("Memory", "memory-no", parent: Album.grandchild, ["text": .field("No")]))
        return link
    }

    private static func zones(_ answer: CloudAnswer) -> [String] {
        answer.zones.map {
            ($0["zoneID"]?["zoneName"]?.string ?? "") + ($0["deleted"]?.bool == true ? " deleted" : "")
        }
    }
}
