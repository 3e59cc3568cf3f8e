import Foundation
import Traffic

/// Tells by a server's metrics when all polls wait: what is timed is a change for those who do.
struct ParkedPolls {
    /// The address of the metrics.
    let metrics: String
    /// Messages that polls had got before.
    private let before: Int

    init(_ metrics: String, _ caller: HTTPCaller) async throws {
        self.metrics = metrics
        before = try await Self.read(metrics, caller).delivered
    }

    /// Waits until so many polls wait, after so many messages in all.
    func wait(for polls: Int, after delivered: Int, _ caller: HTTPCaller) async throws {
        let wanted = (polls, before + delivered)
        while try await Self.read(metrics, caller) != wanted { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func read(_ metrics: String, _ caller: HTTPCaller) async throws -> (waiting: Int, delivered: Int) {
        let lines = String(decoding: try await caller.get(metrics).body, as: UTF8.self).split(separator: "\n")
        func value(_ name: String) -> Int {
            lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }.map { Int($0) }
                ?? 0
        }
        return (value("cumulus_waiting_polls"), value(#"cumulus_pushes_delivered_total{way="poll"}"#))
    }
}
