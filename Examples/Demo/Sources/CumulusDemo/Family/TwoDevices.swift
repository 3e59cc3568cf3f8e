import CumulusKit

/// Two devices change one record: the second is told, reads, merges and saves.
struct TwoDevices {
    let database: CKDatabase
    let stage: Stage

    /// - Returns: the family with a change that comes too late.
    func play() async throws -> CKRecord {
        stage.want("Anna's phone and Ben's tablet both read the family.")
        let phone = try await database.record(for: Family.id)
        let tablet = phone.copy()

        stage.want("Anna renames it. Her change tag is current.")
        let tag = phone.recordChangeTag
        phone["name"] = "The Lindqvist-Okafors"
        try await database.save(phone)
        try stage.check("saved, under a new tag", phone.recordChangeTag != tag, is: true)

        stage.want("Ben, who has not seen that, changes the code under the tag he knows.")
        tablet["code"] = "TRIBE-0815"
        let conflict = try await stage.refuse("refused: somebody else was first", .serverRecordChanged) {
            try await database.save(tablet)
        }
        guard let current = conflict.serverRecord else { throw conflict }
        try stage.check(
            "so his tablet reads the family again, and there is Anna's name, with the code as it was",
            Self.content(current), is: ["The Lindqvist-Okafors", Family.code])

        stage.want("He saves only his own change under the current tag.")
        current["code"] = "TRIBE-0815"
        try await database.save(current)
        try stage.check("both changes are there", Self.content(current), is: ["The Lindqvist-Okafors", "TRIBE-0815"])
        return tablet
    }

    private static func content(_ record: CKRecord) -> [String?] { [record.string("name"), record.string("code")] }
}
