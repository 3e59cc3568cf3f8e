import Foundation

/// The same codes as records, with who learned them, when and how.
struct KeepMappings {
    private static let type = "AirportMapping"
    private static let columns = ["iata", "icao", "verifiedByCoordinates"]
    private static let learned = [("SFO", "KSFO"), ("RIX", "EVRA"), ("VNO", "EYVI")]

    let client: CloudClient
    let stage: Stage

    func play() async throws {
        let phone = client.device("phone")
        let tablet = client.device("tablet")
        try await clear()
        stage.want("The phone keeps what it learned as records.")
        for (iata, icao) in Self.learned { try await save(on: phone, Self.creating(iata, icao, on: phone)) }
        stage.want("The tablet wants to be woken by new and changed ones.")
        try await stage.subscribe(
            tablet, in: "private", [.watching(Self.type, as: "mapping-changes", on: ["create", "update"])])
        let line = try await stage.connect(tablet)
        stage.want("The phone learns one more.")
        let heard = try await stage.hear(["mapping-changes: created mapping-TLL"], on: line) {
            try await save(on: phone, Self.creating("TLL", "EETX", on: phone))
        }
        try stage.check("nobody was disturbed", heard.allSatisfy(\.isSilent), is: true)
        try await correct(on: phone, heardOn: line)
        try await newestFirst(on: tablet)
    }

    private func correct(on phone: CloudClient, heardOn line: Courier) async throws {
        stage.want("The code was wrong. The phone corrects it …")
        let tag = try await lookUp("mapping-TLL").first?.tag ?? ""
        let correction = Family.updating("mapping-TLL", tag: tag, ["icao": .field("EETN")])
        try await stage.hear(["mapping-changes: updated mapping-TLL"], on: line) {
            try await save(on: phone, correction)
        }
        stage.want("… and the tablet, which has not read that yet, marks the record as verified.")
        try await save(
            on: line.device, Family.updating("mapping-TLL", tag: tag, ["verifiedByCoordinates": .field(true)]),
            code: "CONFLICT")
        let current = try await lookUp("mapping-TLL").first
        try stage.check(
            "it reads the record again, and the correction is there", current?.string("icao"), is: "EETN")
        try await save(
            on: line.device,
            Family.updating("mapping-TLL", tag: current?.tag ?? "", ["verifiedByCoordinates": .field(true)]))
    }

    /// Apps name the system field in either way.
    private func newestFirst(on tablet: CloudClient) async throws {
        for field in ["modifiedTimestamp", "modifiedDate"] {
            stage.want("All of them, the one changed last first, by \(field).")
            let found = try await stage.ask(
                tablet, "private/records/query",
                ["query": ["recordType": .string(Self.type), "sortBy": [.sort(field, ascending: false)]]],
                show: Self.columns)
            try stage.check(
                "newest first", found.records.compactMap { $0.string("iata") },
                is: ["TLL"] + Self.learned.map(\.0).reversed())
        }
    }

    private func clear() async throws {
        let names = (Self.learned.map(\.0) + ["TLL"]).map { JSON.string("mapping-\($0)") }
        _ = try await client.post(
            "private/records/modify",
            ["operations": .array(names.map { ["operationType": "forceDelete", "record": ["recordName": $0]] })])
    }

    private func lookUp(_ name: String) async throws -> [CloudRecord] {
        try await stage.ask(
            client, "private/records/lookup", ["records": [["recordName": .string(name)]]], show: Self.columns
        ).records
    }

    private func save(on device: CloudClient, _ operation: JSON, code: String? = nil) async throws {
        let answer = try await stage.ask(
            device, "private/records/modify", ["operations": [operation]], show: Self.columns)
        try stage.check(
            code == nil ? "saved" : "refused: somebody else was first", answer.records.first?.errorCode, is: code)
    }

    private static func creating(_ iata: String, _ icao: String, on device: CloudClient) -> JSON {
        Family.creating(
            type, "mapping-\(iata)",
            [
                "iata": .field(iata), "icao": .field(icao), "createdDate": .field(Date()),
                "deviceID": .field(device.clientID ?? ""), "learnedAutomatically": .field(true),
                "verifiedByCoordinates": .field(false),
            ])
    }
}
