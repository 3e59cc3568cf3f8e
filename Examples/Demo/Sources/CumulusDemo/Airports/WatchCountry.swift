/// Somebody wants to hear of one country's airports, whoever corrects them.
struct WatchCountry {
    private static let id = "swiss-airports"

    let airports: [Airport]
    let contributor: CloudClient
    let watcher: CloudClient
    let stage: Stage

    func play() async throws {
        let phone = watcher.device("phone")
        stage.want("Ben flies in Switzerland, and wants to be told when an airport there is corrected.")
        try await stage.subscribe(
            phone, in: "public",
            [
                .watching(
                    Airport.recordType, as: Self.id, on: ["update"],
                    filters: [.filter("country", "EQUALS", .field("CH"))],
                    telling: ["alertBody": "An airport was corrected", "additionalFields": ["name", "elevation"]])
            ])
        let line = try await stage.connect(phone)
        stage.want("Anna corrects Kathmandu, in Nepal.")
        try await correct("KTM", elevation: 4390)
        stage.want("She corrects Geneva. Ben hears of that, and has not heard of Kathmandu.")
        let heard = try await stage.hear(["\(Self.id): updated GVA"], on: line) {
            try await correct("GVA", elevation: 1411)
        }
        try stage.check("with the name", heard[0].additionalFields?["name"]?.string, is: name(of: "GVA"))
        try stage.check("and the new elevation", heard[0].additionalFields?["elevation"]?.number, is: 1411)
        try await forget(phone)
    }

    private func forget(_ phone: CloudClient) async throws {
        stage.want("Ben has landed.")
        let answer = try await stage.ask(
            phone, "public/subscriptions/modify",
            ["operations": [["operationType": "delete", "subscription": ["subscriptionID": .string(Self.id)]]]])
        try stage.check("he hears no more of it", answer.subscriptions.first?["deleted"]?.bool, is: true)
    }

    private func correct(_ code: String, elevation: Double) async throws {
        let answer = try await stage.ask(
            contributor, "public/records/modify",
            [
                "operations": [
                    [
                        "operationType": "forceUpdate",
                        "record": [
                            "recordType": .string(Airport.recordType), "recordName": .string(code),
                            "fields": ["elevation": .field(elevation)],
                        ],
                    ]
                ]
            ], show: ["name", "country", "elevation"])
        try stage.check("saved", answer.records.first?.number("elevation"), is: elevation)
    }

    private func name(of code: String) -> String? { airports.first { $0.iata == code }?.name }
}
