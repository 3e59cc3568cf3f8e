import CumulusKit

/// An atomic batch with one refusal in it leaves nothing behind.
struct AllOrNothing {
    private static let erik = Family.Member(name: "Erik", role: "kid", status: "active", day: 60)

    /// The family under a tag long out of date.
    let outdated: CKRecord
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        stage.want("Erik joins, in one atomic batch with a change to the family under a tag long out of date.")
        let batch = [Self.erik.profile, Self.erik.membership, outdated]
        let results = try await database.modifyRecords(saving: batch, deleting: []).saveResults
        try stage.check(
            "each entry says why", batch.map { results[$0.recordID]?.code },
            is: [.batchRequestFailed, .batchRequestFailed, .serverRecordChanged])

        stage.want("Is anything of it left?")
        let left = try await database.records(for: batch.prefix(2).map(\.recordID))
        try stage.check("nothing", left.values.map(\.code), is: [.unknownItem, .unknownItem])
    }
}
