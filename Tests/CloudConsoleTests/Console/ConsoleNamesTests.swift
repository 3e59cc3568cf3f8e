@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import CloudOperations
import Testing

/// People are shown by their addresses, with their user record names behind them.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleNamesTests {
    private static let place = "container=iCloud.com.example.test&environment=development"

    @Test("Shares, subscriptions, devices, requests, records and the audit log name people by their addresses")
    func addresses() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("trips")
            try await mei.save(zone: "trips", "lisbon", type: "Trip", fields: #""title": {"value": "Lisbon"}"#)
            _ = try await mei.share("lisbon", in: "trips", permission: "READ_ONLY")
            try await mei.watchNotes("watch")
            _ = try await mei.ear("phone")
            try await mei.save("n1")
            let visitor = WebVisitor(server)
            let user = mei.user
            for path in [
                "/console/shares?\(Self.place)", "/console/push?\(Self.place)", "/console/requests",
                "/console/settings/audit",
            ] {
                if path.hasSuffix("audit") { _ = try await visitor.open("/console/data?\(Self.place)&user=\(user)") }
                let page = try await visitor.open(path).text
                #expect(page.contains(#"title="\#(user)""#), "\(path): \(page)")
                #expect(page.contains(">mei@example.com</"), "\(path)")
                #expect(!page.contains(">\(user)<"), "\(path)")
            }
            let record = "/console/record?\(Self.place)&user=\(user)&zone=trips&name=lisbon"
            for path in [record, "/console/data?\(Self.place)&user=\(user)&zone=trips"] {
                #expect(try await visitor.open(path).text.contains("private database of mei@example.com, zone trips"))
            }
            #expect(try await visitor.open(record).text.contains("by mei@example.com"))
        }
    }

    @Test("A conflict names the address of the person who changed the record")
    func conflict() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            let again = try await mei.post(
                "private/records/modify", #"{"operations": [\#(Operation.write("create", "n1", fields: ""))]}"#)
            let field = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            let id = try #require(again.headers[field])
            let page = try await WebVisitor(server).open("/console/request?uuid=\(id)").text
            #expect(page.contains("since mei@example.com changed it"), "\(page)")
            #expect(page.contains("mei@example.com (\(mei.user))"), "\(page)")
        }
    }

    @Test(
        "Audit lines and requests show addresses only to tokens with access to people or records",
        arguments: [[ManagementScope.operations], [.operations, .people], [.operations, .recordsRead]])
    func scopes(scopes: [ManagementScope]) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            _ = try await WebVisitor(server).open("/console/data?\(Self.place)&user=\(mei.user)")
            let token = try await server.accounts.managementTokens.create(
                container: nil, name: "t", scopes: Set(scopes))
            let headers: HTTPFields = [.authorization: "Bearer \(token.text)"]
            for path in ["audit", "requests?user=\(mei.user)"] {
                let answer = try await server.send(.get, "/admin/1/\(path)", headers: headers)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.text.contains(mei.user))
                #expect(answer.text.contains(#""email":"mei@example.com""#) == (scopes.count > 1), "\(answer.text)")
            }
        }
    }
}
