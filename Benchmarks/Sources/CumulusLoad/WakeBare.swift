import ArgumentParser
import Foundation
import Traffic

/// Measures the floor of ``Wake``: a server that does nothing but answer all waiting requests when a POST arrives.
struct WakeBare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wake-bare", abstract: "Times the answers of the bare handler to waiting requests.")

    @Option(help: "The address of the bare handler.")
    var origin: String

    @Option(help: "The number of waiting requests.")
    var waiters: Int

    @Option(help: "The number of rounds in which all are answered.")
    var toAll = 3

    func run() async throws {
        guard let port = URL(string: origin)?.port else { throw ValidationError("--origin has no port") }
        let caller = HTTPCaller(connections: 8)
        let poll = Array("GET /wait HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        let arrivals = Arrivals(waiters: waiters)
        let crowd = try Crowd(waiters, port: port) { waiter, received in
            guard Courier.takeAnswer(&received) != nil else { return nil }
            arrivals.note(waiter)
            return poll
        }
        crowd.send { _ in poll }
        print("parked")
        fflush(nil)
        _ = readLine()
        var all = Latencies()
        for _ in 0..<toAll {
            arrivals.begin(expecting: waiters)
            let start = ContinuousClock.now
            try await require(caller.post("{}", to: "\(origin)/tell"))
            for arrival in await arrivals.all(within: .seconds(30)) { all.add(arrival - start) }
            // The next polls have arrived by then.
            try await Task.sleep(for: .seconds(1))
        }
        let figures = [all.percentile(0.5), all.percentile(0.99)]
        print(figures.map { String(format: "%.2f", $0.milliseconds) }.joined(separator: " "))
        crowd.hangUp()
        try await caller.shutdown()
    }
}
