/// A second device follows the zone: everything once, then only what is new, deletions included.
struct FollowChanges {
    private static let columns = ["displayName", "name", "role", "status"]
    private static let fiona = Family.Member(name: "Fiona", role: "kid", status: "invited", day: 90)

    let client: CloudClient
    let stage: Stage

    func play() async throws {
        let everything = Set([Family.name] + Family.members.flatMap { [$0.profile, $0.membership] })
        var token = try await follow(from: nil, "Anna's new laptop fetches the whole zone.", expecting: everything)
        token = try await follow(from: token, "It asks again a minute later.", expecting: [])

        stage.want("Anna's phone invites Fiona.")
        let invited = try await stage.ask(
            client, "private/records/modify",
            [
                "zoneID": Family.zone,
                "operations": [
                    Family.creating("CKUserProfile", Self.fiona.profile, Family.profileFields(Self.fiona)),
                    Family.membership(Self.fiona),
                ],
            ], show: Self.columns)
        try stage.check("saved", invited.status, is: 200)
        token = try await follow(
            from: token, "The laptop asks what is new.", expecting: [Self.fiona.profile, Self.fiona.membership])
        try await dissolve(from: token)
    }

    private func dissolve(from token: String) async throws {
        stage.want("The family is deleted; its memberships refer to it with DELETE_SELF.")
        let deletion = try await stage.ask(
            client, "private/records/modify",
            [
                "zoneID": Family.zone,
                "operations": [["operationType": "forceDelete", "record": ["recordName": .string(Family.name)]]],
            ])
        try stage.check("deleted", deletion.records.first?.isDeleted, is: true)
        let gone = Set([Family.name, Self.fiona.membership] + Family.members.map(\.membership))
        let last = try await follow(
            from: token, "The laptop sees the family and every membership go, and no profile.", expecting: gone,
            deleted: true)
        _ = try await follow(from: last, "And once more: has it caught up?", expecting: [])
    }

    private func follow(
        from token: String?, _ wish: String, expecting names: Set<String>, deleted: Bool = false
    ) async throws -> String {
        stage.want(wish)
        let entry: JSON =
            if let token { ["zoneID": Family.zone, "syncToken": .string(token)] } else { ["zoneID": Family.zone] }
        let answer = try await stage.ask(client, "private/changes/zone", ["zones": [entry]], show: Self.columns)
        try stage.check("no more to come", answer.zones.first?["moreComing"]?.bool, is: false)
        let fact = names.isEmpty ? "nothing new" : "exactly these \(names.count), each once"
        try stage.check(fact, answer.changes.map(\.name).sorted(), is: names.sorted())
        if deleted { try stage.check("all of them deletions", answer.changes.allSatisfy(\.isDeleted), is: true) }
        guard let next = answer.zoneToken else {
            throw Mismatch(what: "the zone's token", expected: "a syncToken", got: "none")
        }
        return next
    }
}
