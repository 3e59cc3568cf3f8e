/// A link that worked a moment ago, and does not any more.
struct StopSharing {
    let owner: CloudClient
    let friend: CloudClient
    let link: Link
    let stage: Stage

    func play() async throws {
        stage.want("Ben opens the surprise, which anybody with the link may.")
        let accepted = try await stage.ask(friend, "public/records/accept", .opening(link))
        try stage.check("he is in", accepted.opened?["participantType"]?.string, is: "PUBLIC_USER")
        let page = try await stage.open(owner.stranger, link)
        try stage.check("so is a stranger's browser", page.status, is: 200)

        stage.want("Anna stops sharing it.")
        let share = accepted.opened?["share"]?["recordName"] ?? ""
        let stopped = try await stage.ask(
            owner, "private/records/modify",
            [
                "zoneID": ShareItems.zone,
                "operations": [["operationType": "forceDelete", "record": ["recordName": share]]],
            ])
        try stage.check("done", stopped.records.first?.isDeleted, is: true)
        let gone = try await stage.ask(
            friend, "shared/records/lookup",
            ["zoneID": ShareItems.zone.owned(by: owner.user), "records": [["recordName": "item-secret"]]])
        let code = gone.errorCode ?? gone.records.first?.errorCode
        try stage.check("for Ben it is gone (\(code ?? ""))", ["NOT_FOUND", "ZONE_NOT_FOUND"].contains(code), is: true)
        let none = try await stage.open(owner.stranger, link)
        try stage.check("and the page says so", none.status, is: 410)
    }
}
