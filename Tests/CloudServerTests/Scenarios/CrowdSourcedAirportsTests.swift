import TestCloud
import CloudModel
import Testing

/// Everybody corrects the airports of the public database, and hears of those of one country.
struct CrowdSourcedAirportsTests {
    private static let container = "iCloud.com.jkadans.ProPilotApp"

    private static func airport(_ code: String, _ country: String, elevation: Int = 0) -> String {
        Operation.write(
            "forceReplace", code, type: "Airport",
            fields:
                #""country": {"value": "\#(country)"}, "name": {"value": "Airport \#(code)"}, "elevation": {"value": \#(elevation)}"#
        )
    }

    private static let swiss = """
        {"subscriptionID": "swiss", "subscriptionType": "query", "firesOn": ["create", "update", "delete"], "query":
            {"recordType": "Airport", "filterBy": [{"fieldName": "country", "comparator": "EQUALS", "fieldValue": {"value": "CH"}}]},
            "notificationInfo": {"alertLocalizationKey": "corrected", "alertLocalizationArgs": ["name"], "additionalFields": ["elevation"]}}
        """

    @Test("A subscriber to one country gets no notification of another's airports")
    func otherCountries() async throws {
        try await TestServer.run { server in
            let anna = try await server.signIn("anna@example.com", Self.container)
            _ = try await anna.modify(in: "public", [Self.airport("GVA", "CH"), Self.airport("KTM", "NP")])
            let ben = try await server.signIn("ben@example.com", Self.container)
            try await ben.subscribe(in: "public", Self.swiss)
            let device = try await ben.listening("phone")
            let write = { (operations: String...) in
                for operation in operations { _ = try await anna.modify(in: "public", [operation]) }
            }
            // What comes next is always of the one country: nothing of another came before it.
            try await device.hears("swiss updated GVA") {
                try await write(Self.airport("KTM", "NP", elevation: 1), Self.airport("GVA", "CH", elevation: 1411))
            }
            try await device.hears("swiss created ZRH") {
                try await write(Self.airport("LUA", "NP"), Self.airport("ZRH", "CH"))
            }
            try await device.hears("swiss deleted GVA") {
                try await write(Operation.delete("LUA"), Operation.delete("GVA"))
            }
            // One that becomes of the country is told of, one that ceases to be is not.
            try await device.hears("swiss updated KTM") {
                try await write(Self.airport("ZRH", "NP"), Self.airport("KTM", "CH"))
            }
        }
    }

    @Test("A notification has the text and fields that the subscription asks for")
    func messageFields() async throws {
        try await TestServer.run { server in
            let anna = try await server.signIn("anna@example.com", Self.container)
            _ = try await anna.modify(in: "public", [Self.airport("GVA", "CH")])
            let ben = try await server.signIn("ben@example.com", Self.container)
            try await ben.subscribe(in: "public", Self.swiss)
            let device = try await ben.listening("phone")
            _ = try await anna.modify(in: "public", [Self.airport("GVA", "CH", elevation: 1411)])
            let message = try await device.next()
            #expect(message[path: "aps.alert.loc-key"] == "corrected")
            #expect(message[path: "aps.alert.loc-args"] == .array(["Airport GVA"]))
            #expect(message[path: "ck.qry.af"]?[path: "elevation"] == 1411)
            #expect(message[path: "ck.qry.dbs"] == 2)
            #expect(message[path: "ck.ckuserid"]?.string == ben.user)
            #expect(message[path: "ck.cid"]?.string == Self.container)
        }
    }
}
