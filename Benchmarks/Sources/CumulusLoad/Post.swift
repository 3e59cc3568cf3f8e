import ArgumentParser
import Foundation
import Traffic

/// Sends one request over and over and prints rate and percentiles, once its answer is what it should be.
struct Post: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times one request. `%` in the body stands for a number between 0 and --numbers.")

    @Option(help: "The URL to post to.")
    var url: String

    @Option(help: "The body.")
    var body: String

    @Option(help: "What `%` in the body ranges over.")
    var numbers = 1

    @Option(help: "Connections, each with one request at a time.")
    var connections = 1

    @Option(help: "Seconds to go on for.")
    var seconds = 3.0

    @Option(help: "How many records the answer must hold.")
    var expectRecords: Int?

    func run() async throws {
        let caller = HTTPCaller(connections: connections)
        try await check(caller)
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        var all = Latencies()
        let start = ContinuousClock.now
        try await forEach(0..<connections, inFlight: connections) { _ in
            try await times(until: end, caller)
        } each: {
            all.add($0)
        }
        let elapsed = start.duration(to: .now) / .seconds(1)
        try await caller.shutdown()
        let percentiles = [0.5, 0.9, 0.99].map { "p\(Int($0 * 100)) \(all.percentile($0).milliseconds)" }
        print("rate \(Int(Double(all.count) / elapsed)) \(percentiles.joined(separator: " "))")
    }

    private func times(until end: ContinuousClock.Instant, _ caller: HTTPCaller) async throws -> Latencies {
        var latencies = Latencies()
        while ContinuousClock.now < end {
            let body = filledIn()
            let start = ContinuousClock.now
            let answer = try await caller.post(body, to: url)
            latencies.add(start.duration(to: .now))
            guard answer.status == 200 else {
                throw CloudSession.Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
            }
        }
        return latencies
    }

    private func check(_ caller: HTTPCaller) async throws {
        let answer = try await caller.post(filledIn(), to: url)
        guard let expectRecords else { return }
        let records = try CloudSession.decode(RecordsAnswer.self, from: answer).records
        guard records.count == expectRecords, records.allSatisfy({ $0.serverErrorCode == nil }) else {
            throw ValidationError("\(records.count) records came back instead of \(expectRecords)")
        }
    }

    private func filledIn() -> String { body.replacing("%", with: String(Int.random(in: 0..<max(numbers, 1)))) }
}
