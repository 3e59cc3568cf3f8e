import CumulusKit

/// Production takes what the schema has, finds what it indexes, and says plainly what is missing.
struct GoToProduction {
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        try await FoundFamily(database: database, stage: stage).play()
        try await AskForFamily(database: database, stage: stage).play()
        stage.want("A newer app saves a motto, which nobody has deployed yet.")
        try await refuse(
            Family.record("CKFamily", "family-motto", ["motto": "All for one"]),
            "Cannot create or modify field 'motto' in record 'CKFamily' in production schema")
        stage.want("It has chores, too.")
        try await refuse(
            Family.record("CKChore", "chore-dishes", ["name": "The dishes"]),
            "Cannot create new type CKChore in production schema")
        stage.want("Families by name? The schema has an index on their code, not on their name.")
        let error = try await stage.refuse("refused", .invalidArguments) {
            try await database.find("CKFamily", .field("name", .equal, "The Lindqvists"), in: Family.zone)
        }
        try stage.check(
            "with the index that is missing", error.reason.hasPrefix("Field 'name' is not marked queryable"), is: true)
    }

    private func refuse(_ record: CKRecord, _ reason: String) async throws {
        let error = try await stage.refuse("refused", .invalidArguments) { try await database.save(record) }
        try stage.check("and it says why", error.reason, is: reason)
    }
}
