/// A zone of its own, and the whole family in it at once.
struct FoundFamily {
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        try await freshZone()
        stage.want("Anna founds the family: profiles, family and memberships, all of them or none.")
        let answer = try await stage.ask(
            client, "private/records/modify",
            ["zoneID": Family.zone, "atomic": true, "operations": .array(Family.founding)],
            show: ["displayName", "role", "status", "family"])
        try stage.check("the batch was accepted", answer.status, is: 200)
        try stage.check(
            "one entry per operation, none refused", answer.records.filter { $0.errorCode == nil }.count,
            is: Family.founding.count)
    }

    private func freshZone() async throws {
        stage.want("Clear away what an earlier run left, and start with an empty zone.")
        let cleared = try await stage.ask(client, "private/zones/modify", zoneOperation("delete"))
        let outcome = cleared.zones.first?["serverErrorCode"]?.string ?? "deleted"
        try stage.check(
            "the zone is gone (\(outcome))", ["deleted", "ZONE_NOT_FOUND"].contains(outcome), is: true)
        let made = try await stage.ask(client, "private/zones/modify", zoneOperation("create"))
        try stage.check("the zone is there and takes atomic batches", made.zones.first?["atomic"]?.bool, is: true)
    }

    private func zoneOperation(_ type: String) -> JSON {
        ["operations": [["operationType": .string(type), "zone": ["zoneID": Family.zone]]]]
    }
}
