import CloudModel
import CloudServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ServeTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test func developmentTellsHowToBegin() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        #expect(server.welcome.contains(DevelopmentToken.text))
        let path = try #require(server.welcome.firstMatch(of: #/curl '(http[^']+)'/#)?.output.1)
        #expect(try await server.status(String(path.dropFirst(server.origin.count))) == 200)
        #expect(await server.stop() == 0)
    }

    @Test func commandsTakeEffectWhileTheServerRuns() async throws {
        let server = try await RunningServer(cumulus)
        _ = try await cumulus("container", "create", "c")
        let token = try await cumulus(
            "token", "create", "--container", "c", "--environment", "production", "--name", "web"
        ).output.trimmingCharacters(in: .newlines)
        let path = "/database/1/c/production/public/zones/list?ckAPIToken="
        #expect(try await server.status(path + token) == 200)
        #expect(try await server.status(path + DevelopmentToken.text) == 401)
        #expect(try await server.status("/auth/dev/session") == 404)
        #expect(try await cumulus("token", "revoke", "1").status == 0)
        #expect(try await server.status(path + token) == 401)
        #expect(await server.stop() == 0)
    }

    @Test("--version and /health give the same version")
    func version() async throws {
        let printed = try await cumulus("--version")
        #expect(printed.status == 0)
        #expect(printed.output == ProgramVersion.text + "\n")
        let server = try await RunningServer(cumulus)
        let health = try JSONParser.parse(Array(try await server.get("/health").body))
        #expect(health.object?["version"]?.string == ProgramVersion.text)
        #expect(await server.stop() == 0)
    }

    @Test func pagesThatAreMissingAreNamed() async throws {
        let outcome = try await cumulus("serve", "--port", "0", environment: ["CUMULUS_PUBLIC": "/nowhere"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the page templates are not in '/nowhere'"))
    }

    @Test func aFolderHasOneServer() async throws {
        let server = try await RunningServer(cumulus)
        let second = try await cumulus("serve", "--port", "0")
        #expect(second.status == 1)
        #expect(second.errors.contains("another server is running"))
        #expect(await server.stop() == 0)
        let third = try await RunningServer(cumulus)
        #expect(await third.stop() == 0)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func developmentStaysOnThisMachine(host: String) async throws {
        let outcome = try await cumulus("serve", "--dev", "--host", host, "--port", "0")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("--dev-allow-remote"))
        let configured = try await cumulus(
            "serve", "--port", "0", environment: ["CUMULUS_DEV": "1", "CUMULUS_HOST": host])
        #expect(configured.errors.contains("--dev-allow-remote"))
    }
}
