@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// Each user's values in each environment of each container are apart from all others, and nobody else reads them.
struct KeyValueIsolationTests {
    @Test("A user's key-value store holds no values of another") func users() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let ann = try await server.signIn("ann@example.com")
            let other = try await server.signIn("mei@example.com", "iCloud.com.example.other")
            for (index, app) in [mei, ann, other].enumerated() {
                let token = try await app.device().set(["k": "\(index)"]).changeToken
                #expect(try await app.device().changes(since: token).texts() == [:])
            }
            for (index, app) in [mei, ann, other].enumerated() {
                #expect(try await app.device().post("values").texts() == ["k": "\(index)"])
                #expect(try await app.device().changes().texts() == ["k": "\(index)"])
            }
        }
    }

    @Test("Development and production have key-value stores of their own") func environments() async throws {
        try await TestServer.run { server in
            let development = try await server.signIn("mei@example.com")
            var production = development
            production.environment = "production"
            production.apiToken = try await server.accounts.apiTokens.create(
                container: production.container, environment: .production, name: "app"
            ).text
            let container = try #require(try await server.accounts.containers.all().first)
            production.token = try await server.accounts.sessions.create(
                email: "mei@example.com", container: container, environment: .production
            ).token
            let token = try await development.device().set(["k": "1"]).changeToken
            let answer = try await production.device().changes(since: token)
            #expect(answer["reason"] == "INITIAL_SYNC" && answer.texts() == [:])
            _ = try await production.device().set(["k": "2"])
            #expect(try await development.device().post("values").texts() == ["k": "1"])
        }
    }

    @Test("With another user's change token a user gets their own values") func otherToken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com").device()
            let ann = try await server.signIn("ann@example.com").device()
            let token = try await mei.set(["secret": "1"]).changeToken
            _ = try await ann.set(["own": "1"])
            let answer = try await ann.changes(since: token)
            #expect(answer["reason"] == "ACCOUNT_CHANGE")
            #expect(answer.texts() == ["own": "1"])
            #expect(try await ann.set(["own": "2"], since: token).code == "CONFLICT")
        }
    }

    @Test("The key-value store needs a signed-in user", arguments: ["modify", "changes", "values"])
    func anonymous(endpoint: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let stranger = try await server.app().device().post(endpoint, "{}")
            #expect(stranger.status == 421 && stranger.code == "AUTHENTICATION_REQUIRED")
            #expect(stranger["redirectURL"]?.string?.contains("/auth/signin?request=") == true)
            var wrong = mei
            wrong.token = "1__1__" + String(repeating: "A", count: 40)
            #expect(try await wrong.device().post(endpoint, "{}").status == 421)
            wrong.apiToken = String(repeating: "0", count: 64)
            #expect(try await wrong.device().post(endpoint, "{}").status == 401)
            let keyID = try #require(HTTPField.Name("X-Apple-CloudKit-Request-KeyID"))
            let signed = try await server.send(.post, mei.device().target(endpoint), headers: [keyID: "x"])
            #expect(signed.status == 401)
            wrong = mei
            wrong.container = "iCloud.com.example.other"
            #expect(try await wrong.device().post(endpoint, "{}").status == 421)
        }
    }

    @Test("Other methods and paths of the key-value store are refused") func otherMethods() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com").device()
            #expect(try await server.send(.get, mei.target("modify")).status == 405)
            #expect(try await server.send(.put, mei.target("values")).status == 405)
            for endpoint in ["", "modify/", "values/k", "all"] {
                #expect(try await mei.post(endpoint, "{}").status == 404)
            }
        }
    }
}
