import CumulusKit

/// What Anna does on her phone reaches her tablet, and not the phone.
struct HearOfFamily {
    private static let greta = Family.Member(name: "Greta", role: "kid", status: "invited", day: 80)
    private static let membership = "membership-changes"
    private static let profile = "userprofile-changes"

    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let phone = app.device("phone")
        let tablet = app.device("tablet")
        stage.want("Her tablet and her phone each get a line of their own.")
        let tabletLine = try await stage.connect(tablet)
        let phoneLine = try await stage.connect(phone)
        try await invite(on: phone, heardOn: tabletLine)
        try await changeMind(on: phone, heardOn: tabletLine)
        stage.want(
            "The family gets a new name on the tablet. That is the first the phone hears: the rest was its own doing.")
        try await stage.hear(["family-changes: updated \(Family.id.recordName)"], on: phoneLine) {
            try await write(
                on: tablet, [Family.record("CKFamily", Family.id.recordName, ["name": "The Okafors"])])
        }
    }

    private func invite(on phone: CKContainer, heardOn line: Courier) async throws {
        stage.want("On the phone Anna invites Greta. Does the tablet know?")
        let messages = try await stage.hear(
            [
                "\(Self.membership): created \(Self.greta.membershipName)",
                "\(Self.profile): created \(Self.greta.profileName)",
            ], on: line
        ) { try await write(on: phone, [Self.greta.profile, Self.greta.membership], .ifServerRecordUnchanged) }
        try stage.check("nobody was disturbed", messages.allSatisfy(\.isSilent), is: true)
    }

    private func changeMind(on phone: CKContainer, heardOn line: Courier) async throws {
        stage.want("Greta accepts.")
        try await stage.hear(["\(Self.membership): updated \(Self.greta.membershipName)"], on: line) {
            try await write(
                on: phone, [Family.record("CKMembership", Self.greta.membershipName, ["status": "active"])])
        }
        stage.want("Her account is deleted, and her membership refers to it with DELETE_SELF.")
        try await stage.hear(
            [
                "\(Self.membership): deleted \(Self.greta.membershipName)",
                "\(Self.profile): deleted \(Self.greta.profileName)",
            ], on: line
        ) { try await write(on: phone, deleting: [Self.greta.profile.recordID]) }
    }

    private func write(
        on device: CKContainer, _ records: [CKRecord] = [], deleting ids: [CKRecord.ID] = [],
        _ policy: CKDatabase.SavePolicy = .changedKeys
    ) async throws {
        try await stage.succeed("saved") {
            try await device.privateCloudDatabase.write(records, deleting: ids, policy)
        }
    }
}
