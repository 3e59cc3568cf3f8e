import Foundation
import Testing

/// A server that nobody asks anything.
@Suite(.timeLimit(.minutes(20)))
struct IdleTests {
    let cumulus: Program

    init() throws { cumulus = try Program() }

    /// The window is the life of a poll that the server itself ends. Before it, what was done at the start is written down
    /// and has come to rest.
    @Test("An idle server rarely wakes") func wakings() async throws {
        let server = try await RunningServer(cumulus, "--dev", environment: ["CUMULUS_COURIER_HOLD": "12"])
        let path = try await DevelopmentPerson(server).courierPath()
        for _ in 0..<2 { #expect(try await server.status(path) == 200) }
        let before = try server.voluntarySwitches
        #expect(try await server.status(path) == 200)
        let count = try server.voluntarySwitches - before
        // A look at the open databases every 5, sign-ins to note every 10; the poll itself.
        #expect(count <= 150)
        #expect(await server.stop() == 0)
    }
}
