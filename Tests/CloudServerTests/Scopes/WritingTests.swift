import CloudModel
import CloudOperations
import CloudStore
import HTTPTypes
import Testing

@testable import CloudServer

/// Changes by which somebody who may not read records would have them shown.
@Suite(.timeLimit(.minutes(10)))
struct WritingTests {
    private static let secret = "top-secret-value"
    private static let container = "iCloud.com.example.test"

    /// A zone with a public share of `root`, and records beside it: `secret`, and `leaf` below `branch`.
    private func run(
        _ body:
            @Sendable (
                _ modify: (_ operations: [String], _ scopes: Set<ManagementScope>) async throws -> Answer,
                _ shown: () async throws -> String
            ) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let eve = try await server.signIn("eve@example.com")
            try await mei.makeZone("Z")
            let fields = #""title": {"value": "\#(Self.secret)"}"#
            for name in ["root", "branch"] { try await mei.save(zone: "Z", name) }
            try await mei.save(zone: "Z", "secret", fields: fields)
            let leaf = Operation.write(
                "create", "leaf", fields: fields, extra: #", "parent": {"recordName": "branch"}"#)
            #expect(try await mei.modify(zone: "Z", [leaf]).status == 200)
            let guid = try await mei.share("root", in: "Z", permission: "READ_ONLY")
            _ = try await eve.accept(guid)
            let user = mei.user
            try await body(
                { operations, scopes in
                    let token = try await server.managementToken(scopes)
                    return try await server.manage(
                        .post, "\(Self.container)/development/records/modify", token: token,
                        body:
                            #"{"operations": [\#(operations.joined(separator: ", "))], "user": "\#(user)", "zone": "Z"}"#
                    )
                },
                {
                    let page = try await server.send(.get, "/share/\(guid)").text
                    let zone = try await eve.shared("Z", of: user).changes().text
                    return page + zone
                })
        }
    }

    private static func under(_ parent: String, _ kind: String, _ name: String) -> String {
        Operation.write(kind, name, extra: #", "parent": {"recordName": "\#(parent)"}"#)
    }

    @Test(
        "With records:write alone no record that is there comes into a share",
        arguments: [
            [under("root", "forceUpdate", "secret")],
            [under("root", "forceReplace", "secret")],
            // What hangs on it comes along.
            [under("root", "forceUpdate", "branch")],
            [under("root", "create", "between"), under("between", "forceUpdate", "secret")],
            [under("between", "forceUpdate", "secret"), under("root", "create", "between")],
        ])
    func parents(operations: [String]) async throws {
        try await run { modify, shown in
            let refused = try await modify(operations, [.recordsWrite, .operations, .people, .schema])
            #expect(refused.text.contains("ACCESS_DENIED") && refused.text.contains("records:read"), "\(refused.text)")
            #expect(!(try await shown()).contains(Self.secret))
            // The same by whoever may read it.
            let done = try await modify(operations, [.recordsWrite, .recordsRead])
            #expect(!done.text.contains("serverErrorCode"), "\(done.text)")
            let isKept = !operations.contains { $0.contains("forceReplace") }
            #expect(try await shown().contains(Self.secret) == isKept)
        }
    }

    @Test("A share is changed by no management token, whatever names it")
    func shares() async throws {
        try await run { modify, shown in
            for operation in [
                Operation.write(
                    "forceUpdate", "Share-root", type: "cloudkit.share", extra: #", "publicPermission": "READ_WRITE""#),
                Operation.write("forceUpdate", "Share-root", type: nil, extra: #", "publicPermission": "READ_WRITE""#),
                Sharing.creation("Share-2", of: "secret", permission: "READ_ONLY"),
            ] {
                let answer = try await modify([operation], [.recordsWrite, .recordsRead])
                #expect(answer.status == 400 && answer.reason.contains("is a share"), "\(answer.text)")
            }
            #expect(!(try await shown()).contains(Self.secret))
        }
    }
}
