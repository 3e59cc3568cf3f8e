/// Ben joins by a link that lets him read, and leaves.
struct ReadAndLeave {
    let owner: CloudClient
    let friend: CloudClient
    let link: Link
    let stage: Stage

    private var zone: JSON { ShareItems.zone.owned(by: owner.user) }

    func play() async throws {
        stage.want("Ben takes the tide tables into his app, as anybody with the link may.")
        let accepted = try await stage.ask(friend, "public/records/accept", .opening(link))
        try stage.check("he is in", accepted.opened?["participantStatus"]?.string, is: "ACCEPTED")
        try stage.check("to read", accepted.opened?["participantPermission"]?.string, is: "READ_ONLY")

        stage.want("He tries to give them another name.")
        let refused = try await modify(
            [
                "operationType": "forceUpdate",
                "record": [
                    "recordType": "ClipboardItem", "recordName": "item-bookmark", "fields": ["name": .field("Mine")],
                ],
            ])
        try stage.check("not his to do", refused.records.first?.errorCode, is: "ACCESS_DENIED")

        stage.want("He leaves.")
        let left = try await modify(
            ["operationType": "forceDelete", "record": ["recordName": accepted.opened?["share"]?["recordName"] ?? ""]])
        try stage.check("done", left.records.first?.isDeleted, is: true)
        let gone = try await stage.ask(
            friend, "shared/records/lookup", ["zoneID": zone, "records": [["recordName": "item-bookmark"]]])
        try stage.check("he sees them no more", gone.records.first?.errorCode, is: "NOT_FOUND")
        try stage.check("Anna's link goes on", try await stage.open(owner.stranger, link).status, is: 200)
    }

    private func modify(_ operation: JSON) async throws -> CloudAnswer {
        try await stage.ask(
            friend, "shared/records/modify", ["zoneID": zone, "atomic": false, "operations": [operation]],
            show: ["name"])
    }
}
