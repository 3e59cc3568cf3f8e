/// Two devices change one record: the second is told, reads, merges and saves.
struct TwoDevices {
    private static let columns = ["name", "code", "recordChangeTag"]

    let client: CloudClient
    let stage: Stage

    func play() async throws {
        stage.want("Anna's phone and Ben's tablet both read the family.")
        let read = try await lookUp()
        let tag = read?.tag ?? ""

        stage.want("Anna renames it. Her change tag is current.")
        let renamed = try await save(["name": .field("The Lindqvist-Okafors")], tag: tag)
        try stage.check("saved, under a new tag", renamed.map { $0.errorCode == nil && $0.tag != tag }, is: true)

        stage.want("Ben, who has not seen that, changes the code under the tag he knows.")
        let refused = try await save(["code": .field("TRIBE-0815")], tag: tag)
        try stage.check("refused: somebody else was first", refused?.errorCode, is: "CONFLICT")

        stage.want("So his tablet reads the family again …")
        let current = try await lookUp()
        try stage.check(
            "there is Anna's name, with the code as it was", current.map(Self.content),
            is: ["The Lindqvist-Okafors", Family.code])

        stage.want("… and saves only his own change under the current tag.")
        let merged = try await save(["code": .field("TRIBE-0815")], tag: current?.tag ?? "")
        try stage.check(
            "both changes are there", merged.map(Self.content), is: ["The Lindqvist-Okafors", "TRIBE-0815"])
    }

    private static func content(_ record: CloudRecord) -> [String?] { [record.string("name"), record.string("code")] }

    private func lookUp() async throws -> CloudRecord? {
        try await stage.ask(
            client, "private/records/lookup",
            ["zoneID": Family.zone, "records": [["recordName": .string(Family.name)]]], show: Self.columns
        ).records.first
    }

    private func save(_ fields: JSON, tag: String) async throws -> CloudRecord? {
        try await stage.ask(
            client, "private/records/modify",
            [
                "zoneID": Family.zone, "atomic": false,
                "operations": [Family.updating(Family.name, tag: tag, fields)],
            ], show: Self.columns
        ).records.first
    }
}
