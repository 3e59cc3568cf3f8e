import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// A schema that opens records which may be there already needs the scopes that reading and writing them needs.
@Suite(.timeLimit(.minutes(10)))
struct GrantScopeTests {
    private static func schema(_ grants: String..., type: String = "Secret") -> String {
        "DEFINE SCHEMA RECORD TYPE \(type) ( title STRING, \(grants.map { "GRANT \($0)" }.joined(separator: ", ")) );"
    }

    private static let closed = schema(#"READ, WRITE TO "_creator""#)

    @Test(
        "An import that widens grants needs the scope of the opened data, and others need schema only",
        arguments: [
            (#"READ TO "_world""#, ManagementScope.recordsRead), (#"READ TO "_icloud""#, .recordsRead),
            (#"WRITE TO "_icloud""#, .recordsWrite), (#"CREATE TO "_icloud""#, .recordsWrite),
        ])
    func imports(grant: String, scope: ManagementScope) async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "iCloud.com.example.test")
            let narrow = Operator(server: server, token: try await server.managementToken([.schema]))
            // A type that is new has no records.
            #expect(try await narrow.send(.put, "schema", body: Self.closed).status == 200)
            let wider = Self.schema(#"READ, WRITE TO "_creator""#, grant)
            #expect(try await narrow.send(.put, "schema?dryRun=true", body: wider).status == 200)
            let refused = try await narrow.send(.put, "schema", body: wider)
            #expect(refused.status == 403 && refused.reason.contains("'\(scope.rawValue)'"), "\(refused.text)")
            #expect(refused.reason.contains("GRANT"), "\(refused.text)")
            let planned = try await narrow.send(.put, "schema?dryRun=true", body: wider)
            #expect(planned.text.contains("GRANT"), "\(planned.text)")
            let wide = Operator(server: server, token: try await server.managementToken([.schema, scope]))
            #expect(try await wide.send(.put, "schema", body: wider).status == 200)
            // What is open already, and what closes.
            #expect(try await narrow.send(.put, "schema", body: wider).status == 200)
            #expect(try await narrow.send(.put, "schema", body: Self.closed).status == 200)
        }
    }

    @Test("A deployment that widens grants needs the scope of the opened data")
    func deployments() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "iCloud.com.example.test")
            let all = Operator(server: server, token: try await server.managementToken())
            let narrow = Operator(server: server, token: try await server.managementToken([.schema]))
            #expect(try await all.send(.put, "schema", body: Self.closed).status == 200)
            #expect(try await narrow.send(.post, "schema/deploy", in: "production").status == 200)
            let open = Self.schema(#"READ, WRITE TO "_creator""#, #"READ TO "_world""#)
            #expect(try await all.send(.put, "schema", body: open).status == 200)
            let refused = try await narrow.send(.post, "schema/deploy", in: "production")
            #expect(refused.status == 403 && refused.reason.contains("'records:read'"), "\(refused.text)")
            let reader = Operator(server: server, token: try await server.managementToken([.schema, .recordsRead]))
            #expect(try await reader.send(.post, "schema/deploy", in: "production").status == 200)
        }
    }

    @Test("A reset to wider grants needs the scope schema only, as no record is left")
    func resets() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "iCloud.com.example.test")
            let all = Operator(server: server, token: try await server.managementToken())
            let narrow = Operator(server: server, token: try await server.managementToken([.schema]))
            let open = Self.schema(#"READ, WRITE TO "_creator""#, #"READ TO "_world""#)
            #expect(try await all.send(.put, "schema", body: open).status == 200)
            #expect(try await all.send(.post, "schema/deploy", in: "production").status == 200)
            #expect(try await all.send(.put, "schema", body: Self.closed).status == 200)
            let reset = try await narrow.send(.post, "schema/reset")
            #expect(reset.status == 200, "\(reset.text)")
        }
    }
}
