/// An atomic batch with one refusal in it leaves nothing behind.
struct AllOrNothing {
    private static let erik = Family.Member(name: "Erik", role: "kid", status: "active", day: 60)

    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Erik joins, in one atomic batch with a change to the family under a tag long out of date.")
        let answer = try await stage.ask(
            client, "private/records/modify",
            [
                "zoneID": Family.zone, "atomic": true,
                "operations": [
                    Family.creating("CKUserProfile", Self.erik.profile, Family.profileFields(Self.erik)),
                    Family.membership(Self.erik),
                    Family.updating(Family.name, tag: "outdated", ["name": .field("The Eriks")]),
                ],
            ])
        try stage.check(
            "each entry says why", answer.records.map(\.errorCode), is: ["ATOMIC_ERROR", "ATOMIC_ERROR", "CONFLICT"])

        stage.want("Is anything of it left?")
        let left = try await stage.ask(
            client, "private/records/lookup",
            [
                "zoneID": Family.zone,
                "records": [
                    ["recordName": .string(Self.erik.profile)], ["recordName": .string(Self.erik.membership)],
                ],
            ])
        try stage.check("nothing", left.records.map(\.errorCode), is: ["NOT_FOUND", "NOT_FOUND"])
    }
}
