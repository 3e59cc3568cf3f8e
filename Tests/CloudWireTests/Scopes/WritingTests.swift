import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import CloudOperations
import Testing

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
        "With records:write alone no existing record can be moved into a share",
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

    @Test("With records:write alone new records can enter a share, and records can leave it")
    func newOnes() async throws {
        try await run { modify, shown in
            let made = [Self.under("root", "create", "new"), Self.under("new", "create", "below")]
            let answer = try await modify(made, [.recordsWrite])
            #expect(!answer.text.contains("serverErrorCode"), "\(answer.text)")
            #expect(try await shown().contains("below"))
            let out = Operation.write("forceUpdate", "new", extra: #", "parent": null"#)
            #expect(!(try await modify([out], [.recordsWrite])).text.contains("serverErrorCode"))
            #expect(try await shown().contains(#""deleted":true"#))
        }
    }

    @Test("With records:write alone no share ends whose records would enter another share", arguments: [true, false])
    func nestedShares(byName: Bool) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            for name in ["root", "alone"] { try await mei.save(zone: "Z", name) }
            try await mei.save(zone: "Z", "inner", fields: #""title": {"value": "\#(Self.secret)"}"#)
            let guids = [
                "inner": try await mei.share("inner", in: "Z"), "alone": try await mei.share("alone", in: "Z"),
            ]
            let outer = try await mei.share("root", in: "Z", permission: "READ_ONLY")
            #expect(try await mei.modify(zone: "Z", [Self.under("root", "forceUpdate", "inner")]).status == 200)
            func end(_ name: String, _ scopes: Set<ManagementScope>) async throws -> Answer {
                let token = try await server.managementToken(scopes)
                guard byName else {
                    return try await server.manage(
                        .delete, "\(Self.container)/development/shares/\(guids[name] ?? "")", token: token)
                }
                return try await server.manage(
                    .post, "\(Self.container)/development/records/modify", token: token,
                    body:
                        #"{"operations": [\#(Operation.delete("Share-\(name)"))], "user": "\#(mei.user)", "zone": "Z"}"#
                )
            }
            func shown() async throws -> Bool {
                try await server.send(.get, "/share/\(outer)").text.contains(Self.secret)
            }
            let refused = try await end("inner", [.recordsWrite])
            #expect(refused.text.contains("records:read"), "\(refused.text)")
            #expect(try await !shown())
            #expect(!(try await end("alone", [.recordsWrite])).text.contains("ACCESS_DENIED"))
            #expect(!(try await end("inner", [.recordsWrite, .recordsRead])).text.contains("ACCESS_DENIED"))
            #expect(try await shown())
        }
    }

    @Test("No management token can change a share")
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

    @Test("A page shows no records of a type that _world may not read")
    func pages() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let program = try await server.makeOperator()
            for type in ["Hidden", "Open"] {
                try await mei.save(
                    in: "public", "\(type)-1", type: type,
                    fields: #""title": {"value": "\#(Self.secret)"}, "of": {"value": "Trip-1"}"#)
            }
            try await mei.save(in: "public", "Trip-1", type: "Trip", fields: #""title": {"value": "Lisbon"}"#)
            func types(_ hidden: String) -> String {
                """
                RECORD TYPE Hidden ( title STRING, of STRING QUERYABLE, \(hidden)GRANT READ, WRITE TO "_creator" );
                RECORD TYPE Open ( title STRING, of STRING QUERYABLE, GRANT READ TO "_world" );
                RECORD TYPE Trip ( title STRING, GRANT READ TO "_world" );
                """
            }
            #expect(try await program.importing(types("")).status == 200)
            let token = try await server.managementToken([.operations])
            func page(of rule: String, _ id: String) async throws -> Answer {
                let set = try await server.manage(
                    .put, "pages", token: token, body: #"{"container": "\#(Self.container)", "rule": \#(rule)}"#)
                #expect(set.status == 200, "\(set.text)")
                return try await server.send(.get, "/share/\(id)")
            }
            let own = #"{"recordType": "Hidden", "title": "{title}", "lines": ["{title}"]}"#
            let items =
                #"{"recordType": "Trip", "title": "{title}", "items": {"recordType": "Hidden", "join": {"field": "of"}}}"#
            #expect(try await page(of: own, "Hidden-1").status == 404)
            let trip = try await page(of: items, "Trip-1")
            #expect(trip.status == 200 && !trip.text.contains(Self.secret), "\(trip.text)")
            // Signed-in users are not the world.
            #expect(try await program.importing(types(#"GRANT READ TO "_icloud", "#)).status == 200)
            #expect(try await page(of: own, "Hidden-1").status == 404)
            // The pages would show it.
            let open = try await page(of: own.replacing("Hidden", with: "Open"), "Open-1")
            #expect(open.status == 200 && open.text.contains(Self.secret), "\(open.text)")
            let openItems = try await page(of: items.replacing("Hidden", with: "Open"), "Trip-1")
            #expect(openItems.status == 200, "\(openItems.text)")
        }
    }
}
