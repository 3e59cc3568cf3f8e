import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

/// Hostile records and rules break neither their own page nor another one.
@Suite(.timeLimit(.minutes(20)))
struct HostilePageTests {
    private static func rule(_ more: String = "") throws -> PageRule {
        let text =
            #"{"recordType": "Trip", "title": "{title}", "lines": ["{when}", "{size}", "{number}", "{place}"]\#(more)}"#
        return try PageRule(try JSONParser.parse(Array(text.utf8)))
    }

    @Test(
        "A page with extreme field values is shown",
        arguments: [
            #""when": {"value": 9223372036854775807, "type": "TIMESTAMP"}"#,
            #""when": {"value": -9223372036854775808, "type": "TIMESTAMP"}"#,
            #""when": {"value": [9223372036854775807, -1, 0], "type": "TIMESTAMP_LIST"}"#,
            #""size": {"value": 9223372036854775807}"#, #""number": {"value": 1.7976931348623157e308}"#,
            #""number": {"value": -5e-324, "type": "DOUBLE"}"#,
            #""place": {"value": {"latitude": 90, "longitude": -180}}"#,
            #""title": {"value": "\u202e\u0000</title><script>alert(1)</script>"}"#,
        ])
    func extremeValues(field: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await server.accounts.pageRules.set(try Self.rule(), container: mei.container)
            _ = try await mei.modify(in: "public", [Operation.write("create", "t", type: "Trip", fields: field)])
            let page = try await server.send(.get, "/share/t")
            #expect([200, 404].contains(page.status), "\(page.text)")
            #expect(!page.text.contains("<script>alert"))
            try await mei.makeZone("Z")
            _ = try await mei.modify(zone: "Z", [Operation.write("create", "root", fields: field)])
            guard try await mei.lookup(zone: "Z", "root")["records.0.recordType"] != nil else { return }
            let guid = try await mei.share("root", in: "Z", permission: "READ_ONLY")
            #expect(try await server.send(.get, "/share/\(guid)").status == 200)
        }
    }

    /// A page may be published before its first item, whose type is then unknown.
    @Test(
        "A page without any item is shown",
        arguments: [#"{"field": "trip"}"#, #"{"reference": "trip"}"#, #"{"parent": true}"#])
    func noItems(join: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let items = #", "items": {"recordType": "Photo", "join": \#(join), "sortBy": "order", "asset": "file"}"#
            try await server.accounts.pageRules.set(try Self.rule(items), container: mei.container)
            try await mei.save(in: "public", "t", type: "Trip", fields: #""title": {"value": "Lisbon"}"#)
            #expect(try await server.send(.get, "/share/t").text.contains("Lisbon"))
            #expect(try await server.send(.get, "/share/t/zip").status == 404)
            try await mei.save(in: "public", "p", type: "Photo", fields: #""other": {"value": 1}"#)
            #expect(try await server.send(.get, "/share/t").text.contains("Lisbon"))
        }
    }

    /// Whoever may write in another container could else put their record in the place of one they have seen.
    @Test("Of two records with one name in two containers the older one keeps the page")
    func twoContainers() async throws {
        try await TestServer.run { server in
            let eve = try await server.signIn("eve@example.com", "iCloud.com.example.older")
            let mei = try await server.signIn("mei@example.com", "iCloud.com.example.newer")
            for app in [eve, mei] { try await server.accounts.pageRules.set(try Self.rule(), container: app.container) }
            try await mei.save(in: "public", "t", type: "Trip", fields: #""title": {"value": "Lisbon"}"#)
            let published = Date()
            try await until { Date() >= published + 0.002 }
            try await eve.save(in: "public", "t", type: "Trip", fields: #""title": {"value": "Trick"}"#)
            let page = try await server.send(.get, "/share/t")
            #expect(page.text.contains("Lisbon") && !page.text.contains("Trick"))
        }
    }
}
