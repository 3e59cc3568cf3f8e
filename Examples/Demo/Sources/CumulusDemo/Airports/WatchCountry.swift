import CumulusKit

/// Somebody wants to hear of one country's airports, whoever corrects them.
struct WatchCountry {
    private static let id = "swiss-airports"

    let airports: [Airport]
    let contributor: CKContainer
    let watcher: CKContainer
    let stage: Stage

    func play() async throws {
        let phone = watcher.device("phone")
        stage.want("Ben flies in Switzerland, and wants to be told when an airport there is corrected.")
        try await stage.subscribe(
            phone, in: "public",
            [
                .watching(
                    Airport.recordType, as: Self.id, on: ["update"], where: ("country", "CH"),
                    telling: ["alertBody": "An airport was corrected", "additionalFields": ["name", "elevation"]])
            ])
        let line = try await stage.connect(phone)
        stage.want("Anna corrects Kathmandu, in Nepal.")
        try await correct("KTM", elevation: 4390)
        stage.want("She corrects Geneva. Ben hears of that, and has not heard of Kathmandu.")
        let heard = try await stage.hear(["\(Self.id): updated GVA"], on: line) {
            try await correct("GVA", elevation: 1411)
        }
        let fields = heard[0].additionalFields
        try stage.check("with the name", fields?["name"]?.string, is: airports.first { $0.iata == "GVA" }?.name)
        try stage.check("and the new elevation", fields?["elevation"]?.number, is: 1411)

        stage.want("Ben has landed.")
        let answer = try await stage.server.ask(
            phone, "database", "public/subscriptions/modify",
            ["operations": [["operationType": "delete", "subscription": ["subscriptionID": .string(Self.id)]]]])
        try stage.check("he hears no more of it", answer["subscriptions"]?.array?.first?["deleted"], is: true)
    }

    /// Says only what changes, of a record that was not read before.
    private func correct(_ code: String, elevation: Double) async throws {
        let airport = CKRecord(Airport.recordType, code, ["elevation": elevation])
        try await contributor.publicCloudDatabase.write([airport], .changedKeys)
        try stage.check("saved", airport.number("elevation"), is: elevation)
    }
}
