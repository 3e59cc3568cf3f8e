@testable import CloudHTTP
import CloudAccounts
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import Testing

/// Access to the routes under `/admin/1`.
@Suite(.timeLimit(.minutes(20)))
struct ManagementGateTests {
    @Test("A management token is good for its container alone") func otherContainer() async throws {
        try await TestServer.run { server in
            var program = try await server.makeOperator("c")
            #expect(try await program.send(.get, "schema").status == 200)
            _ = try await server.accounts.containers.create(name: "d")
            for other in ["d", "not-there"] {
                program.container = other
                let answer = try await program.send(.get, "schema")
                #expect(answer.status == 403 && answer.code == "ACCESS_DENIED")
            }
        }
    }

    @Test("A token for all containers learns that a container does not exist")
    func allContainers() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.create(name: "c")
            let (text, token) = try await server.accounts.managementTokens.create(container: nil, name: "all")
            var program = Operator(server: server, container: "c", token: text)
            #expect(try await program.send(.get, "schema", in: "production").status == 200)
            program.container = "not-there"
            #expect(try await program.send(.get, "schema").status == 404)
            program.container = "c"
            try await server.accounts.managementTokens.revoke(id: token.id)
            #expect(try await program.send(.get, "schema").status == 401)
        }
    }

    @Test("API tokens, web auth tokens and malformed tokens are refused as management tokens")
    func otherCredentials() async throws {
        try await TestServer.run { server in
            var program = try await server.makeOperator()
            let mei = try await server.signIn("mei@example.com")
            for token in [nil, "", "cm_", String(repeating: "d0", count: 32), mei.token, "\u{E9}"] {
                program.token = token
                let answer = try await program.send(.get, "schema")
                #expect(answer.status == 401 && answer.code == "AUTHENTICATION_FAILED")
            }
        }
    }

    @Test("After too many wrong management tokens the client has to wait") func wrongTokens() async throws {
        try await TestServer.run(.live) {
            $0.guessing.perAddress = 3
        } _: { server in
            let good = try await server.makeOperator()
            for _ in 0..<5 { #expect(try await good.send(.get, "schema").status == 200) }
            var guesser = good
            guesser.token = "cm_guess"
            for _ in 0..<3 { #expect(try await guesser.send(.get, "schema").status == 401) }
            let late = try await guesser.send(.get, "schema")
            #expect(late.status == 429 && late.code == "THROTTLED")
            #expect(late["retryAfter"]?.integer ?? 0 > 0)
            #expect(late.headers[.retryAfter] != nil)
        }
    }

    @Test("Wrong methods and paths of the admin API are refused with 405 and 404") func wrongMethods() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            for (method, path) in [
                (HTTPRequest.Method.post, "schema"), (.delete, "schema"), (.get, "schema/deploy"), (.put, "roles"),
                (.get, "roles/a/b"), (.post, "schema/builds"),
            ] {
                let answer = try await program.send(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.headers[.allow] != nil)
            }
            for path in ["", "schema/", "schemas", "roles/a", "roles/a/b/c", "schema/deploy/now"] {
                #expect(try await program.send(.get, path).status == 404, "\(path)")
            }
            #expect(try await program.send(.get, "schema", in: "staging").status == 404)
        }
    }
}
