import TestCloud
import CloudModel
import Testing

/// Two devices learn which ICAO code belongs to an IATA code, and share what they learned as key-value pairs.
struct AirportMappingTests {
    private static let container = "iCloud.com.jkadans.ProPilotApp"

    /// A device that keeps what it knows, and what it has not sent yet, as an app would.
    private struct Pilot {
        let device: KeyValueDevice
        var mappings: [String: String] = [:]
        var pending: [String: String?] = [:]
        var token: String?
        var reasons: [String] = []

        /// Works without a network.
        mutating func learn(_ iata: String, _ icao: String?) {
            mappings[iata] = icao
            pending[iata] = .some(icao)
        }

        /// Takes in what others learned, and sends what it learned itself.
        ///
        /// - Returns: what it overwrote.
        mutating func synchronize() async throws -> [String: String?] {
            var overwritten: [String: String?] = [:]
            try await pull()
            if !pending.isEmpty {
                let answer = try await device.set(
                    pending.compactMapValues(\.self), remove: pending.keys.filter { pending[$0] == .some(nil) },
                    since: token)
                #expect(answer.status == 200, "\(answer.text)")
                overwritten = answer.texts("overwritten")
                token = answer.changeToken
                pending = [:]
                if answer["moreComing"] == true { try await pull() }
            }
            return overwritten
        }

        private mutating func pull() async throws {
            var more = true
            while more {
                let page = try await device.changes(since: token, limit: 2)
                reasons.append(page["reason"]?.string ?? "")
                if page["reason"] == "INITIAL_SYNC" || page["reason"] == "ACCOUNT_CHANGE" { mappings = [:] }
                for (key, value) in page.texts() { mappings[key] = value }
                for key in page["removed"]?.array ?? [] { mappings[key.string ?? ""] = nil }
                for (key, value) in pending { mappings[key] = value }
                token = page.changeToken
                more = page["moreComing"] == true
            }
        }
    }

    @Test("Offline edits of two devices merge into their union") func merge() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            var phone = Pilot(device: app.device("phone"))
            var tablet = Pilot(device: app.device("tablet"))
            phone.learn("SFO", "KSFO")
            _ = try await phone.synchronize()
            _ = try await tablet.synchronize()
            #expect(tablet.mappings == ["SFO": "KSFO"] && tablet.reasons == ["INITIAL_SYNC"])

            for (iata, icao) in [("RIX", "EVRA"), ("VNO", "EYVI"), ("TLL", "EETN")] { phone.learn(iata, icao) }
            for (iata, icao) in [("ARN", "ESSA"), ("CPH", "EKCH"), ("SFO", nil)] { tablet.learn(iata, icao) }
            _ = try await phone.synchronize()
            _ = try await tablet.synchronize()
            _ = try await phone.synchronize()
            let union = ["RIX": "EVRA", "VNO": "EYVI", "TLL": "EETN", "ARN": "ESSA", "CPH": "EKCH"]
            #expect(phone.mappings == union && tablet.mappings == union)
            #expect(phone.reasons.last == "SERVER_CHANGE")
            #expect(try await app.device().post("values").texts() == union)
        }
    }

    @Test("Of two writes to a key the later one wins, and its device gets the overwritten value")
    func laterWrite() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            let (phone, tablet) = (app.device("phone"), app.device("tablet"))
            let token = try await phone.set(["RIX": "EVRA"]).changeToken
            _ = try await tablet.changes()
            let first = try await tablet.set(["RIX": "EVXX", "TLL": "EETN"], since: token)
            #expect(first.texts("overwritten") == [:])
            let second = try await phone.set(["RIX": "EVRA"], since: token)
            #expect(second.texts("overwritten") == ["RIX": "EVXX"])
            #expect(second["moreComing"] == true)
            let news = try await phone.changes(since: second.changeToken)
            #expect(news.texts() == ["RIX": "EVRA", "TLL": "EETN"])
        }
    }

    @Test("The other device is notified with the reason") func notified() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            var phone = Pilot(device: app.device("phone"))
            var tablet = Pilot(device: app.device("tablet"))
            let phoneLine = try await app.listening("phone")
            let tabletLine = try await app.listening("tablet")
            _ = try await phone.synchronize()
            _ = try await tablet.synchronize()
            phone.learn("RIX", "EVRA")
            try await tabletLine.hears("keyvalue SERVER_CHANGE") { _ = try await phone.synchronize() }
            _ = try await tablet.synchronize()
            #expect(tablet.mappings == ["RIX": "EVRA"] && tablet.reasons == ["INITIAL_SYNC", "SERVER_CHANGE"])
            // The first that the phone hears is the tablet's change, not its own.
            tablet.learn("TLL", "EETN")
            try await phoneLine.hears("keyvalue SERVER_CHANGE") { _ = try await tablet.synchronize() }
            _ = try await phone.synchronize()
            #expect(phone.mappings == ["RIX": "EVRA", "TLL": "EETN"])
        }
    }

    @Test("Values past the quota are refused with the limit and not stored") func quota() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("pilot@example.com", Self.container)
            let phone = app.device("phone")
            _ = try await phone.set(["RIX": "EVRA"])
            let chart = String(repeating: "x", count: (1 << 20) + 1)
            for values in [
                ["chart": chart, "TLL": "EETN"],
                ["a": String(chart.prefix(1 << 19)), "b": String(chart.prefix(1 << 19)), "TLL": "EETN"],
            ] {
                let refused = try await phone.set(values)
                #expect(refused.status == 413 && refused.code == "QUOTA_EXCEEDED")
                #expect(refused.reason.contains("1048576"), "\(refused.reason)")
            }
            let many = Dictionary(uniqueKeysWithValues: (0..<1024).map { ("k\($0)", "v") })
            let refused = try await phone.set(many)
            #expect(refused.code == "QUOTA_EXCEEDED" && refused.reason.contains("1024"), "\(refused.reason)")
            #expect(try await phone.post("values").texts() == ["RIX": "EVRA"])
        }
    }

    @Test("After a change of user the device reads the new user's values") func userChange() async throws {
        try await TestServer.run { server in
            var first = Pilot(device: try await server.signIn("pilot@example.com", Self.container).device("phone"))
            first.learn("RIX", "EVRA")
            _ = try await first.synchronize()
            let other = try await server.signIn("copilot@example.com", Self.container)
            _ = try await other.device().set(["TLL": "EETN"])
            var second = Pilot(device: other.device("phone"), mappings: first.mappings, token: first.token)
            _ = try await second.synchronize()
            #expect(second.reasons == ["ACCOUNT_CHANGE"])
            #expect(second.mappings == ["TLL": "EETN"])
        }
    }
}
