import ArgumentParser
import CumulusKit

/// Which server is played to, and what is said when that fails.
struct ServerOptions: ParsableArguments {
    @Option(help: "Where the server listens.")
    var origin = "http://127.0.0.1:8080"

    @Option(help: "The API token to use; the default works for every container of a --dev server.")
    var apiToken = String(repeating: "d0", count: 32)

    @Flag(help: "Show every request and answer.")
    var verbose = false

    /// Does something with the server; the command fails with it.
    func perform(_ action: (Server, Console) async throws -> Void) async throws {
        let console = Console(isBrief: !verbose)
        do {
            try await action(Server(origin: origin, apiToken: apiToken, wire: Wire(console: console)), console)
        } catch {
            report(error, on: console.whole)
            throw ExitCode.failure
        }
    }

    private func report(_ error: any Error, on console: Console) {
        console.line()
        switch error {
        case let mismatch as Mismatch:
            console.line("✗ \(mismatch.what)", .bad)
            console.line("expected: \(mismatch.expected)", indent: 2)
            console.line("     got: \(mismatch.got)", indent: 2)
        case let error as CKError where !error.isTransient:
            console.line("✗ refused: \(error)", .bad)
        default:
            console.line("✗ no answer from \(origin): \(error)", .bad)
            console.line("Start a server with `make run`, or name another with --origin.", indent: 2)
        }
    }
}
