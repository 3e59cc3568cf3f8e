import CumulusKit

/// A second device follows the zone: everything once, then only what is new, deletions included.
struct FollowChanges {
    private static let fiona = Family.Member(name: "Fiona", role: "kid", status: "invited", day: 90)

    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        let everything = [Family.id.recordName] + Family.members.flatMap { [$0.profileName, $0.membershipName] }
        var token = try await follow(from: nil, "Anna's new laptop fetches the whole zone.", expecting: everything)
        token = try await follow(from: token, "It asks again a minute later.")

        stage.want("Anna's phone invites Fiona.")
        try await stage.succeed("saved") { try await database.write([Self.fiona.profile, Self.fiona.membership]) }
        token = try await follow(
            from: token, "The laptop asks what is new.",
            expecting: [Self.fiona.profileName, Self.fiona.membershipName])

        stage.want("The family is deleted; its memberships refer to it with DELETE_SELF.")
        try await stage.succeed("deleted") { try await database.deleteRecord(withID: Family.id) }
        let gone = [Family.id.recordName, Self.fiona.membershipName] + Family.members.map(\.membershipName)
        token = try await follow(
            from: token, "The laptop sees the family and every membership go, and no profile.", deleted: gone)
        _ = try await follow(from: token, "And once more: has it caught up?")
    }

    private func follow(
        from token: CKServerChangeToken?, _ wish: String, expecting names: [String] = [], deleted: [String] = []
    ) async throws -> CKServerChangeToken {
        stage.want(wish)
        let page = try await database.recordZoneChanges(inZoneWith: Family.zone, since: token)
        try stage.check("no more to come", page.moreComing, is: false)
        let seen = page.records.map(\.name) + page.deletions.map { "\($0.recordID.recordName) deleted" }
        let expected = names + deleted.map { "\($0) deleted" }
        try stage.check(
            expected.isEmpty ? "nothing new" : "exactly these \(expected.count), each once", seen.sorted(),
            is: expected.sorted())
        return page.changeToken
    }
}
