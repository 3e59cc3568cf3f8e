import TestCloud
import CloudModel
import Testing

/// Learned airport codes as records of the private database, with a silent subscription to new and changed ones.
struct MappingRecordsTests {
    private static let container = "iCloud.com.jkadans.ProPilotApp"

    private static func fields(_ icao: String) -> String {
        #""icao": {"value": "\#(icao)"}, "learnedAutomatically": {"value": 1}, "deviceID": {"value": "phone"}"#
    }

    @Test("The other device is woken by creation and update, not by deletion") func wakes() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            let phone = app.on("phone")
            try await phone.save("RIX", type: "AirportMapping", fields: Self.fields("EVRA"))
            try await app.subscribe(Silent.query("AirportMapping", as: "mappings", on: ["create", "update"]))
            let tablet = try await app.listening("tablet")
            try await tablet.hears("mappings created TLL") {
                try await phone.save("TLL", type: "AirportMapping", fields: Self.fields("EETX"))
            }
            try await tablet.hears("mappings updated TLL") {
                _ = try await phone.modify([Operation.delete("RIX")])
                try await phone.save("TLL", type: "AirportMapping", fields: Self.fields("EETN"))
            }
            try await phone.save("RIX", type: "AirportMapping", fields: Self.fields("EVRA"))
            let message = try await tablet.next()
            #expect(message[path: "aps"]?.keys == ["content-available"])
        }
    }

    @Test("A query sorted by modification answers the newest first", arguments: ["modifiedTimestamp", "modifiedDate"])
    func newestFirst(field: String) async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            for name in ["RIX", "TLL", "VNO", "RIX"] {
                try await app.save(name, type: "AirportMapping", fields: Self.fields("E\(name)"))
            }
            let found = try await app.post(
                "private/records/query",
                #"{"query": {"recordType": "AirportMapping", "sortBy": [{"fieldName": "\#(field)", "ascending": false}]}}"#
            )
            let times = found.column("records", "modified.timestamp").map { $0?.integer ?? 0 }
            #expect(Set(found.recordNames) == ["RIX", "TLL", "VNO"] && times == times.sorted(by: >))
        }
    }

    @Test("Of two updates with one change tag the second is a conflict") func conflict() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            let tag = try await app.save("TLL", type: "AirportMapping", fields: Self.fields("EETX"))
            let update = { (device: String, tag: String, fields: String) in
                try await app.on(device).modify([Operation.write("update", "TLL", type: nil, tag: tag, fields: fields)])
            }
            let first = try await update("phone", tag, #""icao": {"value": "EETN"}"#)
            #expect(first["records.0.fields.icao.value"] == "EETN")
            let verified = #""verifiedByCoordinates": {"value": 1}"#
            let late = try await update("tablet", tag, verified)
            #expect(late["records.0.serverErrorCode"] == "CONFLICT")
            let current = try #require(try await app.lookup("TLL")["records.0.recordChangeTag"]?.string)
            let merged = try await update("tablet", current, verified)
            #expect(merged["records.0.fields.icao.value"] == "EETN")
            #expect(merged["records.0.fields.verifiedByCoordinates.value"] == 1)
        }
    }
}
