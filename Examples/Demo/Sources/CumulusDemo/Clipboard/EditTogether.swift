/// Ben accepts, reads and changes the list; both change it at once; Clara, who has the link too, is told nothing.
struct EditTogether {
    let owner: CloudClient
    let friend: CloudClient
    let stranger: CloudClient
    let link: Link
    let stage: Stage

    private var zone: JSON { ShareItems.zone.owned(by: owner.user) }

    func play() async throws {
        stage.want("Clara was not invited. She tries the link all the same.")
        let refused = try await stage.ask(stranger, "public/records/resolve", .opening(link))
        try stage.check("there is nothing for her", refused.opened?["serverErrorCode"]?.string, is: "NOT_FOUND")

        stage.want("Ben looks at what the link is, then accepts.")
        let resolved = try await stage.ask(friend, "public/records/resolve", .opening(link))
        try stage.check("invited", resolved.opened?["participantStatus"]?.string, is: "INVITED")
        let accepted = try await stage.ask(friend, "public/records/accept", .opening(link))
        try stage.check("accepted", accepted.opened?["participantStatus"]?.string, is: "ACCEPTED")

        stage.want("He reads the list in his shared database, and adds to it.")
        let read = try await lookUp(friend, "shared", zone)
        let tag = read?.tag ?? ""
        let saved = try await save(friend, "shared", zone, "Passport\nSun cream\nA good book\nTickets", tag)
        try stage.check("saved", saved?.errorCode, is: nil)

        stage.want("Anna still has the list as it was, and saves a change of hers.")
        let conflict = try await save(owner, "private", ShareItems.zone, "Passport\nSun cream\nTwo books", tag)
        try stage.check("refused: Ben was first", conflict?.errorCode, is: "CONFLICT")
        let current = try await lookUp(owner, "private", ShareItems.zone)
        try stage.check("she sees Ben's line", current?.string("text")?.contains("Tickets"), is: true)
        let merged = try await save(
            owner, "private", ShareItems.zone, "Passport\nSun cream\nTwo books\nTickets", current?.tag ?? "")
        try stage.check("and saves both", merged?.errorCode, is: nil)
    }

    private func lookUp(_ client: CloudClient, _ database: String, _ zone: JSON) async throws -> CloudRecord? {
        try await stage.ask(
            client, "\(database)/records/lookup", ["zoneID": zone, "records": [["recordName": "item-note"]]],
            show: ["name", "text"]
        ).records.first
    }

    private func save(
        _ client: CloudClient, _ database: String, _ zone: JSON, _ text: String, _ tag: String
    ) async throws -> CloudRecord? {
        let answer = try await stage.ask(
            client, "\(database)/records/modify",
            [
                "zoneID": zone, "atomic": false,
                "operations": [Family.updating("item-note", tag: tag, ["text": .field(text)])],
            ], show: ["name", "text"])
        return answer.records.first
    }
}
