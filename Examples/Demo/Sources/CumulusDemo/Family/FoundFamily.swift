import CumulusKit

/// A zone of its own, and the whole family in it at once.
struct FoundFamily {
    let database: CKDatabase
    let stage: Stage

    func play() async throws {
        try await freshZone()
        stage.want("Anna founds the family: profiles, family and memberships, all of them or none.")
        let founded = try await stage.succeed("the batch was accepted") {
            try await database.write(Family.founding)
        }
        try stage.check("one entry per operation, none refused", founded, is: Family.founding.count)
    }

    private func freshZone() async throws {
        stage.want("Clear away what an earlier run left, and start with an empty zone.")
        let cleared = try await database.modifyRecordZones(saving: [], deleting: [Family.zone])
        let outcome = cleared.deleteResults[Family.zone]?.code
        try stage.check(
            "the zone is gone (\(outcome == nil ? "deleted" : "it was not there"))",
            [nil, .zoneNotFound].contains(outcome), is: true)
        try await database.save(CKRecordZone(zoneID: Family.zone))
        try stage.check(
            "the zone is there and takes atomic batches",
            stage.server.wire.last.answer["zones"]?.array?.first?["atomic"], is: true)
    }
}
