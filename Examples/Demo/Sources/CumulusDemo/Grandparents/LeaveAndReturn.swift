/// Ben leaves; Anna sees it; the same link brings him back.
struct LeaveAndReturn {
    let album: Album
    let link: Link

    private var stage: Stage { album.stage }

    func play() async throws {
        stage.want("Ben leaves the album.")
        let resolved = try await stage.ask(album.guest, "public/records/resolve", .opening(link))
        let share = resolved.opened?["share"]?["recordName"] ?? ""
        let left = try await stage.ask(
            album.guest, "shared/records/modify",
            [
                "zoneID": album.guestZone,
                "operations": [["operationType": "forceDelete", "record": ["recordName": share]]],
            ])
        try stage.check("done", left.records.first?.isDeleted, is: true)
        let zones = try await stage.ask(album.guest, "shared/zones/list", [:])
        try stage.check("Anna's zone is gone from his shared database", zones.zones.count, is: 0)

        stage.want("Anna looks who is still there.")
        let seen = try await stage.ask(
            album.owner, "private/records/lookup", ["zoneID": Album.zone, "records": [["recordName": share]]],
            show: ["cloudkit.title"])
        let people = seen.records.first?.json["participants"]?.array ?? []
        let accepted = people.filter { $0["acceptanceStatus"]?.string == "ACCEPTED" }
        try stage.check("only herself", accepted.map { $0["type"]?.string }, is: ["OWNER"])
        try await invite(share, tag: seen.records.first?.tag ?? "", besides: accepted)
    }

    private func invite(_ share: JSON, tag: String, besides people: [JSON]) async throws {
        stage.want("She invites him once more.")
        let answer = try await stage.ask(
            album.owner, "private/records/modify",
            [
                "zoneID": Album.zone, "atomic": true,
                "operations": [
                    [
                        "operationType": "update",
                        "record": [
                            "recordName": share, "recordType": "cloudkit.share", "recordChangeTag": .string(tag),
                            "participants": .array(people + [.invitation(album.guestAddress)]),
                        ],
                    ]
                ],
            ], show: ["cloudkit.title"])
        try stage.check("invited", answer.records.first?.errorCode, is: nil)
        let again = try await stage.ask(album.guest, "public/records/resolve", .opening(link))
        try stage.check("the link is the same", again.opened?["participantStatus"]?.string, is: "INVITED")
    }
}
