import CumulusKit

/// The questions the family app asks: by code, by reference, by role, in order.
struct AskForFamily {
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        stage.want("Ben was given the code \(Family.code). Which family is that?")
        let found = try await names("CKFamily", .field("code", .equal, Family.code))
        try stage.check("the one family with that code", found, is: [Family.id.recordName])

        stage.want("Who is an active member, in the order they joined?")
        let active = try await names(
            "CKMembership", ofFamily.and(.field("status", .equal, "active")), by: [.init(key: "joinedAt")])
        try stage.check(
            "the active members, first to join first", active,
            is: Family.members.filter { $0.status == "active" }.sorted { $0.day < $1.day }.map(\.membershipName))

        stage.want("Which parent may change the rules?")
        let admin = try await names("CKMembership", ofFamily.and(.field("role", .equal, "parent_admin")))
        try stage.check("Anna, and nobody else", admin, is: ["membership-anna"])

        stage.want("Whose is this account?")
        let profile = try await names("CKUserProfile", .field("appleUserIdHash", .equal, "hash-clara"))
        try stage.check("Clara's", profile, is: ["profile-clara"])
    }

    private var ofFamily: CKPredicate {
        .field("family", .equal, CKRecord.Reference(recordID: Family.id, action: .none))
    }

    private func names(
        _ type: CKRecord.RecordType, _ predicate: CKPredicate, by order: [CKQuery.SortDescriptor] = []
    ) async throws -> [String] {
        try await database.find(type, predicate, by: order, in: Family.zone).records.map(\.name)
    }
}
