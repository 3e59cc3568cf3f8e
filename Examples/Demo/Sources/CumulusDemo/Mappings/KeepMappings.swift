import CumulusKit
import Foundation

/// The same codes as records, with who learned them, when and how.
struct KeepMappings {
    private static let type = "AirportMapping"
    private static let learned = [("SFO", "KSFO"), ("RIX", "EVRA"), ("VNO", "EYVI")]

    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let phone = app.device("phone")
        let tablet = app.device("tablet")
        let names = (Self.learned.map(\.0) + ["TLL"]).map { CKRecord.ID(recordName: "mapping-\($0)") }
        _ = try await Wire.quietly {
            try await phone.privateCloudDatabase.modifyRecords(saving: [], deleting: names)
        }
        stage.want("The phone keeps what it learned as records.")
        for (iata, icao) in Self.learned { try await learn(iata, icao, on: phone) }
        stage.want("The tablet wants to be woken by new and changed ones.")
        try await stage.subscribe(
            tablet, in: "private", [.watching(Self.type, as: "mapping-changes", on: ["create", "update"])])
        let line = try await stage.connect(tablet)
        stage.want("The phone learns one more.")
        let heard = try await stage.hear(["mapping-changes: created mapping-TLL"], on: line) {
            try await learn("TLL", "EETX", on: phone)
        }
        try stage.check("nobody was disturbed", heard.allSatisfy(\.isSilent), is: true)
        try await correct(on: phone, heardOn: line, by: tablet)
        try await newestFirst(on: tablet)
    }

    private func correct(on phone: CKContainer, heardOn line: Courier, by tablet: CKContainer) async throws {
        stage.want("The code was wrong. The phone corrects it …")
        let wrong = try await phone.privateCloudDatabase.record(for: CKRecord.ID(recordName: "mapping-TLL"))
        let corrected = wrong.copy()
        corrected["icao"] = "EETN"
        try await stage.hear(["mapping-changes: updated mapping-TLL"], on: line) {
            try await save(corrected, on: phone)
        }
        stage.want("… and the tablet, which has not read that yet, marks the record as verified.")
        wrong["verifiedByCoordinates"] = true
        let conflict = try await stage.refuse("refused: somebody else was first", .serverRecordChanged) {
            try await tablet.privateCloudDatabase.save(wrong)
        }
        guard let current = conflict.serverRecord else { throw conflict }
        try stage.check(
            "it reads the record again, and the correction is there", current.string("icao"), is: "EETN")
        current["verifiedByCoordinates"] = true
        try await save(current, on: tablet)
    }

    /// Apps name the system field in either way.
    private func newestFirst(on tablet: CKContainer) async throws {
        for field in ["modifiedTimestamp", "modifiedDate"] {
            stage.want("All of them, the one changed last first, by \(field).")
            let (found, _) = try await tablet.privateCloudDatabase.find(
                Self.type, by: [.init(key: field, ascending: false)])
            try stage.check(
                "newest first", found.compactMap { $0.string("iata") },
                is: ["TLL"] + Self.learned.map(\.0).reversed())
        }
    }

    private func learn(_ iata: String, _ icao: String, on device: CKContainer) async throws {
        let mapping = CKRecord(
            Self.type, "mapping-\(iata)",
            [
                "iata": iata, "icao": icao, "createdDate": Date(), "learnedAutomatically": true,
                "deviceID": device.configuration.clientID ?? "", "verifiedByCoordinates": false,
            ])
        try await save(mapping, on: device)
    }

    private func save(_ record: CKRecord, on device: CKContainer) async throws {
        try await stage.succeed("saved") { try await device.privateCloudDatabase.save(record) }
    }
}
