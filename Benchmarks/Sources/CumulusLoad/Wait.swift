import ArgumentParser
import Foundation
import Traffic

/// Waits for a first answer and prints how many milliseconds after `--since` it came.
struct Wait: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Waits until a URL answers 200.")

    @Option(help: "The URL to ask.")
    var url: String

    @Option(help: "When the server was started, in seconds since 1970.")
    var since: Double?

    @Option(help: "Seconds after which to give up.")
    var limit = 60.0

    func run() async throws {
        let caller = HTTPCaller(connections: 1, timeoutSeconds: 5)
        let start = since ?? Date().timeIntervalSince1970
        var ready = false
        while !ready, Date().timeIntervalSince1970 - start < limit {
            ready = (try? await caller.get(url).status) == 200
            if !ready { try await Task.sleep(for: .milliseconds(2)) }
        }
        try await caller.shutdown()
        guard ready else { throw ValidationError("\(url) did not answer within \(limit) s") }
        print(Int((Date().timeIntervalSince1970 - start) * 1000))
    }
}
