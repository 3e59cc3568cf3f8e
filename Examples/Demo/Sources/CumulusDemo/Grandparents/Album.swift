/// The album both grandparents keep (scenario 3): who they are, and how each of them reaches it.
struct Album {
    static let zone: JSON = ["zoneName": "Memories"]
    static let grandchild = "grandchild-mia"
    private static let columns = ["name", "text"]

    let owner: CloudClient
    let guest: CloudClient
    let guestAddress: String
    let stage: Stage

    var guestZone: JSON { Self.zone.owned(by: owner.user) }

    /// Writes for one of the two, and holds the one record in the answer to `code`.
    func write(asGuest: Bool, _ fact: String, code: String? = nil, _ operation: JSON) async throws {
        let answer = try await stage.ask(
            asGuest ? guest : owner, "\(asGuest ? "shared" : "private")/records/modify",
            ["zoneID": asGuest ? guestZone : Self.zone, "atomic": false, "operations": [operation]], show: Self.columns)
        try stage.check(fact, answer.records.first?.errorCode ?? answer.errorCode, is: code)
    }

    static func creating(_ type: String, _ name: String, parent: String?, _ fields: JSON) -> JSON {
        let operation = Family.creating(type, name, fields)
        guard let parent, let record = operation["record"] else { return operation }
        return operation.with("record", record.with("parent", ["recordName": .string(parent)]))
    }

    /// Moves a record under another one.
    static func moving(_ name: String, under parent: String) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": "Memory", "parent": ["recordName": .string(parent)],
                "fields": [:],
            ],
        ]
    }

    /// What is new for one of the two since `token`.
    func changes(forGuest: Bool, since token: String?) async throws -> (records: [CloudRecord], token: String) {
        var zone: JSON = ["zoneID": forGuest ? guestZone : Self.zone]
        if let token { zone = zone.with("syncToken", .string(token)) }
        let answer = try await stage.ask(
            forGuest ? guest : owner, "\(forGuest ? "shared" : "private")/changes/zone", ["zones": [zone]],
            show: Self.columns)
        guard let next = answer.zoneToken else {
            throw Mismatch(what: "the zone's token", expected: "a syncToken", got: answer.body.text)
        }
        return (answer.changes, next)
    }
}
