/// The questions the family app asks: by code, by reference, by role, in order.
struct AskForFamily {
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        let found = try await query(
            "Ben was given the code \(Family.code). Which family is that?", "CKFamily",
            [.filter("code", "EQUALS", .field(Family.code))], show: ["name", "code", "createdAt"])
        try stage.check("the one family with that code", found, is: [Family.name])

        let active = try await query(
            "Who is an active member, in the order they joined?", "CKMembership", ofFamily + [status("active")],
            sortedBy: [.sort("joinedAt")], show: ["role", "status", "joinedAt", "user"])
        try stage.check(
            "the active members, first to join first", active,
            is: Family.members.filter { $0.status == "active" }.sorted { $0.day < $1.day }.map(\.membership))

        let admin = try await query(
            "Which parent may change the rules?", "CKMembership",
            ofFamily + [.filter("role", "EQUALS", .field("parent_admin"))], show: ["role", "user"])
        try stage.check("Anna, and nobody else", admin, is: ["membership-anna"])

        let profile = try await query(
            "Whose is this account?", "CKUserProfile", [.filter("appleUserIdHash", "EQUALS", .field("hash-clara"))],
            show: ["displayName", "appleUserIdHash"])
        try stage.check("Clara's", profile, is: ["profile-clara"])
    }

    private var ofFamily: [JSON] { [.filter("family", "EQUALS", .field(refersTo: Family.name))] }

    private func status(_ status: String) -> JSON { .filter("status", "EQUALS", .field(status)) }

    private func query(
        _ wish: String, _ type: String, _ filters: [JSON], sortedBy sorts: [JSON] = [], show: [String]
    ) async throws -> [String] {
        stage.want(wish)
        let body: JSON = [
            "zoneID": Family.zone,
            "query": ["recordType": .string(type), "filterBy": .array(filters), "sortBy": .array(sorts)],
        ]
        return try await stage.ask(client, "private/records/query", body, show: show).records.map(\.name)
    }
}
