@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import NIOCore
import Testing

/// None of what `--dev` opens is there without it.
struct ProductionServerTests {
    @Test("Without --dev every session needs a password") func sessions() async throws {
        try await TestServer.run(dev: false) { server in
            let body = #"{"container": "c", "environment": "development", "email": "mei@example.com"}"#
            for method in [HTTPRequest.Method.post, .get, .put] {
                let answer = try await server.client.execute(
                    uri: "/auth/dev/session", method: method, body: ByteBuffer(string: body))
                #expect(answer.status.code == 404)
            }
        }
    }

    @Test("Without --dev no request creates a container, and the development token is refused")
    func containersAndToken() async throws {
        try await TestServer.run(dev: false) { server in
            let unknown = try await server.app("iCloud.unheard").get("public/zones/list")
            #expect(unknown.status == 401)
            #expect(unknown.code == "AUTHENTICATION_FAILED")
            #expect(unknown["redirectURL"] == nil)
            _ = try await server.accounts.containers.create(name: "iCloud.known")
            let known = try await server.app("iCloud.known").get("public/zones/list")
            #expect(known.status == 401)
            #expect(known.reason == unknown.reason)
            #expect(try await server.accounts.containers.all().map(\.name) == ["iCloud.known"])
        }
    }

    @Test("An invalid container name is answered like an unknown one")
    func badContainerName() async throws {
        try await TestServer.run(dev: false) { server in
            for name in ["..%2F..%2Fetc%2Fpasswd", "%00", "%F0%9F%98%80", "a%20b", "%"] {
                let answer = try await server.app(name).get("public/zones/list")
                #expect(answer.status == 401)
            }
        }
    }

    @Test("The development token is refused in production") func developmentToken() async throws {
        try await TestServer.run { server in
            let answer = try await server.app(environment: "production").get("public/zones/list")
            #expect(answer.status == 401)
        }
    }

    @Test("A token of the other environment is refused") func otherEnvironment() async throws {
        try await TestServer.run(dev: false) { server in
            var mei = try await server.production("mei@example.com")
            #expect(try await mei.get("private/zones/list").status == 200)
            mei.environment = "development"
            #expect(try await mei.get("private/zones/list").status == 401)
        }
    }
}
