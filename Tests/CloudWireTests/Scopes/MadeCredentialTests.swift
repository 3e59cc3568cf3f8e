import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import CloudCrypto
import Testing

/// The credentials that a management token makes: none may more or lives longer, and all are revoked with it on demand.
@Suite(.timeLimit(.minutes(20)))
struct MadeCredentialTests {
    private static let container = "iCloud.com.example.test"

    private func make(
        _ body: String, token: String, _ server: TestServer
    ) async throws -> (text: String, id: Int64, answer: Answer) {
        let answer = try await server.manage(.post, "management-tokens", token: token, body: body)
        return (answer["token"]?.string ?? "", answer["id"]?.integer ?? 0, answer)
    }

    @Test("A token creates no credential that outlives it")
    func lifetime() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: clock.now) { server in
            let first = try await server.accounts.managementTokens.create(
                container: nil, name: "a day", lifetime: .seconds(86400))
            let end = try #require(first.token.expires)
            let same = try await make(#"{"name": "x"}"#, token: first.text, server)
            #expect(try await server.accounts.managementTokens.find(same.text)?.expires == end)
            let longer = try await make(#"{"name": "x", "days": 2}"#, token: first.text, server)
            #expect(
                longer.answer.status == 403 && longer.answer.reason.contains("lives longer"), "\(longer.answer.text)")
            clock.advance(.seconds(3600))
            let late = try await make(#"{"name": "x", "days": 1}"#, token: first.text, server)
            #expect(late.answer.status == 403, "\(late.answer.text)")
            // Nor by way of one that it has made.
            let second = try await make(#"{"name": "x"}"#, token: same.text, server)
            #expect(try await server.accounts.managementTokens.find(second.text)?.expires == end)
            clock.advance(.seconds(86400))
            for text in [first.text, same.text, second.text] {
                #expect(try await server.accounts.managementTokens.find(text) == nil)
            }
        }
    }

    @Test("A token for one container creates none for another or for all containers")
    func container() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "other")
            let bound = try #require(try await server.makeOperator(Self.container).token)
            for body in [
                #"{"name": "x"}"#, #"{"name": "x", "container": "other"}"#, #"{"name": "x", "container": null}"#,
                #"{"name": "x", "container": ["\#(Self.container)"]}"#,
            ] {
                #expect(try await make(body, token: bound, server).answer.status == 403, "\(body)")
            }
            let own = try await make(#"{"name": "x", "container": "\#(Self.container)"}"#, token: bound, server)
            #expect(own.answer["container"]?.string == Self.container)
        }
    }

    @Test("Revoking a token lists all credentials made with it, and revokes them on demand")
    func revocation() async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            let mei = try await server.signIn("mei@example.com")
            _ = try await accounts.users.create(email: "omar@example.com")
            let root = try await accounts.managementTokens.create(container: nil, name: "root")
            _ = try await server.managementToken()
            let child = try await make(#"{"name": "child"}"#, token: root.text, server)
            let grandchild = try await make(#"{"name": "grandchild"}"#, token: child.text, server)
            let place = #""container": "\#(Self.container)", "environment": "development""#
            let key = P256.Signing.PrivateKey().publicKey.pemRepresentation.replacing("\n", with: "\\n")
            for (path, body) in [
                ("tokens", #"{\#(place), "name": "app"}"#),
                ("keys", #"{\#(place), "name": "k", "publicKey": "\#(key)"}"#),
                ("webhooks", #"{\#(place), "url": "https://example.com/a-secret-path"}"#),
                ("sessions", #"{\#(place), "email": "mei@example.com"}"#),
                ("operators", #"{"email": "omar@example.com", "role": "editor"}"#),
            ] {
                let made = try await server.manage(.post, path, token: grandchild.text, body: body)
                #expect(made.status == 200, "\(path): \(made.text)")
            }
            let outside = try await accounts.managementTokens.create(container: nil, name: "outside")
            // The one in between goes alone, and what it led to is still known.
            let alone = try await server.manage(
                .delete, "management-tokens/\(child.id)", token: outside.text)
            #expect(alone["count"] == 6 && alone["areRevoked"] == false, "\(alone.text)")
            #expect(try await accounts.managementTokens.find(grandchild.text) != nil)
            #expect(!alone.text.contains("a-secret-path") && alone.text.contains("https://example.com/…"))
            let listed = try await server.manage(
                .get, "management-tokens/\(root.token.id)/made?limit=4", token: outside.text)
            #expect(listed["items"]?.array?.count == 4, "\(listed.text)")
            let next = try #require(listed["next"]?.string)
            let rest = try await server.manage(
                .get, "management-tokens/\(root.token.id)/made?after=\(next)", token: outside.text)
            #expect(rest["items"]?.array?.count == 2 && rest["next"] == nil, "\(rest.text)")

            // With a token that may not revoke all of it nothing is revoked.
            let narrow = try await server.managementToken([.operations])
            let refused = try await server.manage(
                .delete, "management-tokens/\(root.token.id)?made=true", token: narrow)
            #expect(refused.status == 403, "\(refused.text)")
            #expect(try await accounts.managementTokens.find(root.text) != nil)

            let all = try await server.manage(
                .delete, "management-tokens/\(root.token.id)?made=true", token: outside.text)
            #expect(all["count"] == 6 && all["areRevoked"] == true, "\(all.text)")
            #expect(
                Set(all.column("made", "kind").compactMap { $0?.string })
                    == Set(MadeCredential.Kind.allCases.map(\.rawValue)))
            #expect(try await accounts.managementTokens.find(grandchild.text) == nil)
            #expect(try await accounts.apiTokens.list().isEmpty)
            #expect(try await accounts.webhooks.list().isEmpty)
            let keys = try await accounts.serverKeys.list().filter { !$0.revoked }
            #expect(keys.isEmpty)
            #expect(try await accounts.operators.list().isEmpty)
            // Those that it did not make stay.
            #expect(try await mei.get("private/zones/list").status == 200)
            #expect(try await accounts.sessions.list(email: "mei@example.com").count == 1)
            #expect(try await accounts.managementTokens.find(outside.text) != nil)
            // Nothing is left to keep them for.
            for id in [root.token.id, child.id, grandchild.id] {
                let again = try await server.manage(.delete, "management-tokens/\(id)", token: outside.text)
                #expect(again.status == 404, "\(again.text)")
            }
        }
    }

    @Test("A deep revocation is all or nothing, and adds an audit line for each credential")
    func allOrNothing() async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            _ = try await server.signIn("mei@example.com")
            _ = try await accounts.users.create(email: "omar@example.com")
            _ = try await accounts.operators.add(email: "omar@example.com", role: .editor)
            let maker = try await accounts.managementTokens.create(container: nil, name: "maker")
            let child = try await make(#"{"name": "child"}"#, token: maker.text, server)
            for email in ["mei@example.com", "omar@example.com"] {
                let body = #"{"container": "\#(Self.container)", "environment": "development", "email": "\#(email)"}"#
                #expect(try await server.manage(.post, "sessions", token: maker.text, body: body).status == 200)
            }
            let narrow = try await server.managementToken([.operations, .people])
            let path = "management-tokens/\(maker.token.id)?made=true"
            let refused = try await server.manage(.delete, path, token: narrow)
            #expect(refused.status == 403 && refused.reason.contains("is an operator"), "\(refused.text)")
            #expect(try await accounts.managementTokens.find(maker.text) != nil)
            #expect(try await accounts.managementTokens.find(child.text) != nil)
            #expect(try await accounts.credentials.made(by: .managementToken(maker.token.id)).count == 3)
            let whole = try await server.manage(.delete, path, token: try await server.managementToken())
            #expect(whole["areRevoked"] == true && whole["count"] == 3, "\(whole.text)")
            let lines = try await accounts.audit.entries(limit: 10)
            let made = lines.filter { $0.action == "revoked what a maker had made" }.compactMap(\.subject)
            #expect(made.count == 3 && made.contains { $0.hasPrefix("managementToken \(child.id) ") }, "\(made)")
            #expect(made.contains { $0.hasSuffix("(omar@example.com)") }, "\(made)")
            #expect(lines.count { $0.action == "revoked a management token" } == 1)
        }
    }

    @Test("Without the scope people a token's made credentials leave out sessions and operators")
    func people() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            _ = try await server.accounts.users.create(email: "omar@example.com")
            let maker = try await server.accounts.managementTokens.create(container: nil, name: "maker")
            _ = try await make(#"{"name": "child"}"#, token: maker.text, server)
            for (path, body) in [
                (
                    "sessions",
                    #"{"container": "\#(Self.container)", "environment": "development", "email": "mei@example.com"}"#
                ), ("operators", #"{"email": "omar@example.com", "role": "editor"}"#),
            ] {
                #expect(try await server.manage(.post, path, token: maker.text, body: body).status == 200)
            }
            let path = "management-tokens/\(maker.token.id)"
            let narrow = try await server.managementToken([.operations])
            let part = try await server.manage(.get, path + "/made", token: narrow)
            #expect(part.column("items", "kind") == ["managementToken"], "\(part.text)")
            let looks = try await server.accounts.audit.entries(limit: 5).map(\.action)
            #expect(looks.contains("looked at what a management token has made"), "\(looks)")
            let full = try await server.manage(.get, path + "/made", token: try await server.managementToken())
            #expect(full["items"]?.array?.count == 3, "\(full.text)")
            let told = try await server.manage(.delete, path, token: narrow)
            #expect(told["count"] == 3 && told.column("made", "kind") == ["managementToken"], "\(told.text)")
        }
    }

    @Test(
        "Removing an operator lists what they made in the console, and revokes it on demand", arguments: [false, true])
    func operators(isDeep: Bool) async throws {
        try await ConsoleOperator.run { ines in
            let accounts = ines.server.accounts
            try await ines.enrol()
            _ = try await accounts.users.create(email: "second@example.com")
            _ = try await accounts.operators.add(email: "second@example.com", role: .owner)
            let path = "/console/settings/credentials"
            _ = try await ines.visitor.open(path)
            let made = try await ines.visitor.submit(
                path, ["do": "management-token", "name": "back door", "scopes": "people", "container": "", "days": ""])
            let text = try #require(made.text.firstMatch(of: #/<code dir="ltr">([^<]+)</#)?.output.1, "\(made.text)")
            let token = try await ines.server.managementToken()
            let removed = try await ines.server.manage(
                .delete, "operators/\(ConsoleOperator.email)" + (isDeep ? "?made=true" : ""), token: token)
            #expect(removed["count"] == 1 && removed["made.0.name"] == "back door", "\(removed.text)")
            let left = try await accounts.managementTokens.find(String(text))
            #expect((left == nil) == isDeep)
        }
    }

    @Test(
        "Credentials of a removed operator are found and revoked with the token that made the operator",
        arguments: [false, true])
    func removedOperator(isDeleted: Bool) async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            let root = try await accounts.managementTokens.create(container: nil, name: "root")
            let outside = try await accounts.managementTokens.create(container: nil, name: "outside")
            let omar = try await accounts.users.create(email: "omar@example.com")
            let made = try await server.manage(
                .post, "operators", token: root.text, body: #"{"email": "omar@example.com", "role": "editor"}"#)
            #expect(made.status == 200, "\(made.text)")
            let theirs = try await accounts.managementTokens.create(
                container: nil, name: "theirs", maker: .operator(account: omar.id))
            let removed =
                isDeleted
                ? try await server.manage(.post, "users/omar@example.com/deletion", token: outside.text)
                : try await server.manage(.delete, "operators/omar@example.com", token: outside.text)
            #expect(removed.status == 200, "\(removed.text)")
            let all = try await server.manage(
                .delete, "management-tokens/\(root.token.id)?made=true", token: outside.text)
            #expect(all["count"] == 1 && all["areRevoked"] == true, "\(all.text)")
            #expect(try await accounts.managementTokens.find(theirs.text) == nil)
            // Nothing is left to keep the tokens and the operator's maker for.
            let again = try await server.manage(.delete, "management-tokens/\(root.token.id)", token: outside.text)
            #expect(again.status == 404, "\(again.text)")
        }
    }

    @Test("Credentials that an operator made belong to the maker who had added the operator")
    func operatorAgain() async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            let (first, second) = (
                try await accounts.managementTokens.create(container: nil, name: "first").token,
                try await accounts.managementTokens.create(container: nil, name: "second").token
            )
            let omar = try await accounts.users.create(email: "omar@example.com")
            var made: [String] = []
            for maker in [first, second] {
                _ = try await accounts.operators.add(
                    email: "omar@example.com", role: .editor, maker: .managementToken(maker.id))
                // An operator already: nothing changes.
                await #expect(throws: ServerError.self) {
                    try await accounts.operators.add(email: "omar@example.com", role: .editor)
                }
                made.append(
                    try await accounts.managementTokens.create(
                        container: nil, name: "by \(maker.name)", maker: .operator(account: omar.id)
                    ).token.name)
                if maker.id == first.id { try await accounts.operators.remove(email: "omar@example.com") }
            }
            for (maker, names) in [(first, [made[0]]), (second, ["omar@example.com", made[1]])] {
                let found = try await accounts.credentials.made(by: .managementToken(maker.id))
                #expect(found.map(\.name).sorted() == names.sorted(), "\(maker.name)")
            }
        }
    }

    @Test("The console lists the credentials made with a revoked token, and revokes them too")
    func console() async throws {
        try await TestServer.run { server in
            let root = try await server.accounts.managementTokens.create(container: nil, name: "root")
            let child = try await make(#"{"name": "child"}"#, token: root.text, server)
            let visitor = WebVisitor(server)
            let path = "/console/settings/credentials"
            _ = try await visitor.open(path)
            let told = try await visitor.submit(path, ["do": "revoke-management-token", "id": "\(root.token.id)"])
            #expect(told.status == 200 && told.text.contains("has made what is still good"), "\(told.text)")
            #expect(try await server.accounts.managementTokens.find(root.text) == nil)
            #expect(try await server.accounts.managementTokens.find(child.text) != nil)
            #expect(told.text.contains("Revoke what it made"), "\(told.text)")
            let fields = ["do": "revoke-management-token", "id": "\(root.token.id)", "made": "true"]
            #expect(try await visitor.submit(path, fields).status == 303)
            #expect(try await server.accounts.managementTokens.find(child.text) == nil)
        }
    }

    @Test("A webhook and a key carry only what their maker may read")
    func values() async throws {
        try await TestServer.run { server in
            let place = #""container": "\#(Self.container)", "environment": "development""#
            let narrow = try await server.managementToken([.operations])
            let reader = try await server.managementToken([.operations, .recordsRead])
            for (token, carries) in [(narrow, false), (reader, true)] {
                let made = try await server.manage(
                    .post, "webhooks", token: token, body: #"{\#(place), "url": "https://example.com/"}"#)
                #expect(made["carriesValues"]?.bool == carries, "\(made.text)")
                let key = P256.Signing.PrivateKey().publicKey.pemRepresentation.replacing("\n", with: "\\n")
                let refused = try await server.manage(
                    .post, "keys", token: token, body: #"{\#(place), "name": "k", "publicKey": "\#(key)"}"#)
                #expect(refused.status == 403, "\(refused.text)")
            }
        }
    }

    @Test("The audit log names a webhook without the path and query of its URL")
    func audit() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let made = try await server.manage(
                .post, "webhooks", token: token,
                body: """
                    {"container": "\(Self.container)", "environment": "development",
                    "url": "https://example.com/services/T0/secret?key=secret"}
                    """)
            #expect(made.status == 200, "\(made.text)")
            let line = try #require(try await server.accounts.audit.entries(limit: 1).first)
            #expect(line.subject == "https://example.com/…", "\(line)")
        }
    }
}
