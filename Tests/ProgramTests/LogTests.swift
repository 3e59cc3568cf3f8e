import CloudWire
import CloudServer
import Foundation
import Testing

/// Lines that the program itself writes to its log.
struct LogTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("Debug shows neither page templates, settings nor input", .timeLimit(.minutes(20)))
    func debugLevel() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev",
            environment: [
                "CUMULUS_LOG_LEVEL": "debug",
                "CUMULUS_REGISTRATION_MAIL_COMMAND": "sendmail --password planted-password",
            ], errors: try FileHandle(forWritingTo: log))
        let person = #"{"container": "c", "environment": "development", "email": "mei@example.com"}"#
        let session = try await server.post("/auth/dev/session", Data(person.utf8))
        let token = try #require(
            String(decoding: session.body, as: UTF8.self).firstMatch(of: #/1__1__[^"]+/#)?.output)
        let query = "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token.replacing("+", with: "%2B"))"
        #expect(try await server.status("/database/1/c/development/private/zones/list?\(query)") == 200)
        #expect(try await server.status("/share/planted-link") == 404)
        #expect(try await server.status("/database/1/c/development/public/zones/list?ckAPIToken=planted-token") == 401)
        #expect(await server.stop() == 0)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.contains("debug") && text.contains("wrong API token"))
        for secret in ["planted", String(token), DevelopmentToken.text, "{{", "<html", "recordNameCharacters"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.utf8.count < 20_000, "\(text.utf8.count)")
    }
}
