import ArgumentParser
import AsyncHTTPClient

/// Plays real data into a running development server and checks every answer.
@main
struct CumulusDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus-demo",
        abstract: "Plays real data into a Cumulus server started with --dev, and checks every answer.")

    @Option(help: "Where the server listens.")
    var origin = "http://127.0.0.1:8080"

    @Option(help: "The API token to use; the default works for every container of a --dev server.")
    var apiToken = String(repeating: "d0", count: 32)

    @Option(help: "The airports to publish, as CSV.")
    var airports = "Samples/airports.csv"

    @Option(help: "A folder of JPEG pictures to share.")
    var photos = "Samples/photos"

    func run() async throws {
        let console = Console()
        let airports = try AirportFile.read(airports)
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let play = Play(
            origin: origin, apiToken: apiToken, airports: airports, photos: try Photo.read(folder: photos),
            console: console, http: http)
        do {
            try await play.perform()
            try await http.shutdown()
        } catch {
            try? await http.shutdown()
            report(error, on: console)
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
        default:
            console.line("✗ no answer from \(origin): \(error)", .bad)
            console.line("Start a server with `make run`, or name another with --origin.", indent: 2)
        }
    }
}
