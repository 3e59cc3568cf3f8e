@testable import CloudHTTP
@testable import CloudServer
import CloudAccounts
import CloudEngine
import CloudPages
import TestCloud
import CloudModel
import Testing

/// The answer at `/`, and the header about TLS in every answer.
struct FrontPageTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test("The start page shows the product, and version and sign-in hints in development only")
    func browsers() async throws {
        for dev in [true, false] {
            try await TestServer.run(dev: dev) { server in
                _ = try await server.accounts.containers.create(name: "iCloud.hidden")
                let page = try await server.send(.get, "/", headers: [.accept: Self.browser])
                #expect(page.status == 200)
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(page.headers[.policy.contentSecurity]?.contains("default-src 'none'") == true)
                #expect(page.text.contains("self-hosted CloudKit"))
                #expect(page.text.contains("Version \(ProgramVersion.text)") == dev)
                #expect(page.text.contains("anybody may be anybody") == dev)
                #expect(!page.text.contains("iCloud.hidden") && !page.text.contains(server.folder.path))
            }
        }
    }

    @Test(
        "The start page names the console where it is enabled",
        arguments: [(true, false), (false, true), (false, false)])
    func consoleLink(dev: Bool, isEnabled: Bool) async throws {
        try await TestServer.run(dev: dev, configure: { $0.consoleIsEnabled = isEnabled }) { server in
            let page = try await server.send(.get, "/", headers: [.accept: Self.browser])
            #expect(page.text.contains("href=\"/console\"") == (dev || isEnabled))
            let answer = try await server.send(.get, "/")
            #expect((answer["links.console"]?.string == "/console") == (dev || isEnabled))
        }
    }

    @Test("A program gets name and version", arguments: [nil, "*/*", "application/json"])
    func programs(accept: String?) async throws {
        try await TestServer.run { server in
            var headers: HTTPFields = [:]
            headers[.accept] = accept
            let answer = try await server.send(.get, "/", headers: headers)
            #expect(answer.status == 200)
            #expect(answer["name"] == "Cumulus" && answer["version"]?.string == ProgramVersion.text)
            #expect(try await server.send(.head, "/", headers: headers).text.isEmpty)
        }
    }

    @Test(
        "Answers have Strict-Transport-Security when the public URL is https",
        arguments: [
            ("https://cloud.example.com", 31_536_000, "max-age=31536000"),
            ("HTTPS://cloud.example.com", 60, "max-age=60"),
            ("https://cloud.example.com", 0, nil), ("http://cloud.example.com", 60, nil), (nil, 60, nil),
        ] as [(String?, Double, String?)])
    func strictTransport(url: String?, age: Double, expected: String?) async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.publicURL = url
            configuration.strictTransportAge = .seconds(age)
        }
        try await TestServer.run(configure: configure) { server in
            for path in ["/", "/health", "/auth/signin", "/nothing", "/aps"] {
                let answer = try await server.send(.get, path)
                #expect(answer.headers[.strictTransportSecurity] == expected, "\(path)")
            }
        }
    }
}
