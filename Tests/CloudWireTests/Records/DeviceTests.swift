import TestCloud
import CloudModel
import Testing

/// `created.deviceID` and `modified.deviceID` (reference A §2.3).
struct DeviceTests {
    @Test("Devices of one user are distinguished by their clientId, which is not shown")
    func devices() async throws {
        try await TestServer.run { server in
            var phone = try await server.signIn("mei@example.com")
            try await phone.makeZone("Z")
            phone.clientID = "phone-of-mei"
            var tablet = phone
            tablet.clientID = "tablet-of-mei"
            var silent = phone
            silent.clientID = nil

            try await phone.save(zone: "Z", "a")
            try await tablet.save(zone: "Z", "a")
            let record = try await silent.lookup(zone: "Z", "a")
            let (created, modified) = (record["records.0.created.deviceID"], record["records.0.modified.deviceID"])
            #expect(created != modified)
            for device in [created, modified] {
                #expect(try #require(device?.string).wholeMatch(of: /[0-9a-f]{16}/) != nil)
            }
            try await phone.save(zone: "Z", "a")
            #expect(try await silent.lookup(zone: "Z", "a")["records.0.modified.deviceID"] == created)
            try await silent.save(zone: "Z", "a")
            #expect(try await silent.lookup(zone: "Z", "a")["records.0.modified.deviceID"] == "iCloud")
            #expect(try await silent.lookup(zone: "Z", "a")["records.0.created.deviceID"] == created)

            var same = try await server.signIn("bob@example.com")
            same.clientID = phone.clientID
            try await same.save("b")
            #expect(try await same.lookup("b")["records.0.created.deviceID"] != created)
        }
    }
}
