/// Production takes what the schema has, finds what it indexes, and says plainly what is missing.
struct GoToProduction {
    let client: CloudClient
    let stage: Stage

    func play() async throws {
        try await FoundFamily(client: client, stage: stage).play()
        try await AskForFamily(client: client, stage: stage).play()
        try await refuseUnknownField()
        try await refuseUnknownType()
        try await refuseUnindexed()
    }

    private func refuseUnknownField() async throws {
        stage.want("A newer app saves a motto, which nobody has deployed yet.")
        try await refuse(
            Family.creating("CKFamily", "family-motto", ["motto": .field("All for one")]),
            "Cannot create or modify field 'motto' in record 'CKFamily' in production schema")
    }

    private func refuseUnknownType() async throws {
        stage.want("It has chores, too.")
        try await refuse(
            Family.creating("CKChore", "chore-dishes", ["name": .field("The dishes")]),
            "Cannot create new type CKChore in production schema")
    }

    private func refuse(_ operation: JSON, _ reason: String) async throws {
        let answer = try await stage.ask(
            client, "private/records/modify", ["zoneID": Family.zone, "operations": [operation]])
        try stage.check("refused", answer.records.first?.errorCode, is: "BAD_REQUEST")
        try stage.check("and it says why", answer.records.first?.json["reason"]?.string, is: reason)
    }

    private func refuseUnindexed() async throws {
        stage.want("Families by name? The schema has an index on their code, not on their name.")
        let answer = try await stage.ask(
            client, "private/records/query",
            [
                "zoneID": Family.zone,
                "query": ["recordType": "CKFamily", "filterBy": [.filter("name", "EQUALS", .field("The Lindqvists"))]],
            ])
        try stage.check("refused", answer.errorCode, is: "BAD_REQUEST")
        let reason = answer.body["reason"]?.string ?? ""
        try stage.check(
            "with the index that is missing", reason.hasPrefix("Field 'name' is not marked queryable"), is: true)
    }
}
