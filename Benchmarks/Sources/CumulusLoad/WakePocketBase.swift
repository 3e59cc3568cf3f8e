import ArgumentParser
import Foundation
import Synchronization
import Traffic

/// The same of a PocketBase: subscribers of a collection by its realtime connections.
struct WakePocketBase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wake-pocketbase", abstract: "Times how long PocketBase's subscribers wait for news of a change.")

    @Option(help: "Where PocketBase listens.")
    var origin: String

    @Option(help: "How many wait.")
    var waiters: Int

    @Option(help: "Changes that all of them are told of.")
    var toAll = 3

    func run() async throws {
        guard let port = URL(string: origin)?.port else { throw ValidationError("--origin has no port") }
        let caller = HTTPCaller(connections: 8)
        let (clients, connected) = AsyncStream<String>.makeStream()
        let arrivals = Arrivals(waiters: waiters)
        let crowd = try Crowd(waiters, port: port) { waiter, received in
            while let event = Self.takeEvent(&received) {
                if let client = event.firstMatch(of: #/"clientId":"(\w+)"/#) {
                    connected.yield(String(client.output.1))
                }
                if event.contains("event:items") { arrivals.note(waiter) }
            }
            return nil
        }
        crowd.send { _ in Array("GET /api/realtime HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8) }
        try await subscribe(clients, caller)
        var all = Latencies()
        var last = Duration.zero
        for number in 0..<toAll + 1 {
            arrivals.begin(expecting: waiters)
            let start = ContinuousClock.now
            try await require(
                caller.post(
                    #"{"title":"news","number":\#(-1 - number)}"#, to: "\(origin)/api/collections/items/records"))
            let times = await arrivals.all(within: .seconds(30)).map { $0 - start }
            // The first shows that all of them wait.
            if number == 0 { continue }
            for time in times { all.add(time) }
            last = max(last, times.max() ?? .zero)
        }
        let figures = [all.percentile(0.5), all.percentile(0.99), last]
        print(figures.map { String(format: "%.2f", $0.milliseconds) }.joined(separator: " "))
        print("lost \(arrivals.counts.filter { $0 < 1 + toAll }.count) ended \(crowd.ended)")
        crowd.hangUp()
        try await caller.shutdown()
    }

    private func subscribe(_ clients: AsyncStream<String>, _ caller: HTTPCaller) async throws {
        var count = 0
        for await client in clients {
            try await require(
                caller.post(
                    #"{"clientId":"\#(client)","subscriptions":["items/*"]}"#, to: "\(origin)/api/realtime"))
            count += 1
            if count == waiters { return }
        }
    }

    /// Takes one whole event away, or the head of the answer; nil while it is not all there.
    private static func takeEvent(_ received: inout [UInt8]) -> String? {
        let end = [Array("\n\n".utf8), Array("\r\n\r\n".utf8)].compactMap { received.firstRange(of: $0) }
            .min { $0.lowerBound < $1.lowerBound }
        guard let end else { return nil }
        defer { received.removeFirst(end.upperBound) }
        return String(decoding: received[..<end.upperBound], as: UTF8.self)
    }
}
