/// What Anna does on her phone reaches her tablet, and not the phone.
struct HearOfFamily {
    private static let greta = Family.Member(name: "Greta", role: "kid", status: "invited", day: 80)
    private static let membership = "membership-changes"
    private static let profile = "userprofile-changes"

    let client: CloudClient
    let stage: Stage

    func play() async throws {
        let phone = client.device("phone")
        let tablet = client.device("tablet")
        stage.want("Her tablet and her phone each get a line of their own.")
        let tabletLine = try await stage.connect(tablet)
        let phoneLine = try await stage.connect(phone)
        try await invite(on: phone, heardOn: tabletLine)
        try await changeMind(on: phone, heardOn: tabletLine)
        try await nothingOfOnesOwn(phoneLine, from: tablet)
    }

    private func invite(on phone: CloudClient, heardOn line: Courier) async throws {
        stage.want("On the phone Anna invites Greta. Does the tablet know?")
        let messages = try await stage.hear(
            ["\(Self.membership): created \(Self.greta.membership)", "\(Self.profile): created \(Self.greta.profile)"],
            on: line
        ) {
            try await write(
                on: phone,
                [
                    Family.creating("CKUserProfile", Self.greta.profile, Family.profileFields(Self.greta)),
                    Family.membership(Self.greta),
                ])
        }
        try stage.check("nobody was disturbed", messages.allSatisfy(\.isSilent), is: true)
    }

    private func changeMind(on phone: CloudClient, heardOn line: Courier) async throws {
        stage.want("Greta accepts.")
        try await stage.hear(["\(Self.membership): updated \(Self.greta.membership)"], on: line) {
            try await write(
                on: phone, [Self.changing("CKMembership", Self.greta.membership, ["status": .field("active")])])
        }
        stage.want("Her account is deleted, and her membership refers to it with DELETE_SELF.")
        try await stage.hear(
            ["\(Self.membership): deleted \(Self.greta.membership)", "\(Self.profile): deleted \(Self.greta.profile)"],
            on: line
        ) {
            try await write(
                on: phone,
                [["operationType": "forceDelete", "record": ["recordName": .string(Self.greta.profile)]]])
        }
    }

    private func nothingOfOnesOwn(_ line: Courier, from tablet: CloudClient) async throws {
        stage.want(
            "The family gets a new name on the tablet. That is the first the phone hears: the rest was its own doing.")
        try await stage.hear(["family-changes: updated \(Family.name)"], on: line) {
            try await write(on: tablet, [Self.changing("CKFamily", Family.name, ["name": .field("The Okafors")])])
        }
    }

    private func write(on device: CloudClient, _ operations: [JSON]) async throws {
        let answer = try await stage.ask(
            device, "private/records/modify",
            ["zoneID": Family.zone, "atomic": true, "operations": .array(operations)],
            show: ["displayName", "name", "role", "status"])
        try stage.check("saved", answer.records.contains { $0.errorCode != nil } ? 0 : answer.status, is: 200)
    }

    private static func changing(_ type: String, _ name: String, _ fields: JSON) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": ["recordType": .string(type), "recordName": .string(name), "fields": fields],
        ]
    }
}
