import ArgumentParser
import Foundation
import Synchronization
import Traffic

/// Lets many wait by the courier, tells one of them or all, and times from the sending of the write to the arrival.
///
/// Prints `parked` once all wait and goes on with a line of input, so that others can look at the server meanwhile.
struct Wake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times how long waiters wait for news of a change.")
    /// Long enough that what has not come by then is lost, and not late.
    private static let within = Duration.seconds(120)

    @OptionGroup var target: Target

    @Option(help: "How many wait.")
    var waiters: Int

    @Option(help: "Changes that one of them is told of.")
    var single = 200

    @Option(help: "Changes that all of them are told of.")
    var toAll = 3

    @Option(
        help: "Where the server's metrics are. With them a change for all waits until all are back from the last one.")
    var metrics: String?

    func run() async throws {
        guard let port = URL(string: target.origin)?.port else { throw ValidationError("--origin has no port") }
        let caller = HTTPCaller(connections: 8)
        let writer = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        try await writer.modify("public", Bodies.modify([Subscribers.news("first", for: -1)]))
        let polls = try await register(caller)
        let parked: ParkedPolls? = if let metrics { try await ParkedPolls(metrics, caller) } else { nil }
        let arrivals = Arrivals(waiters: waiters)
        let crowd = try Crowd(waiters, port: port) { waiter, received in
            guard let answer = Courier.takeAnswer(&received) else { return nil }
            if !answer.isEmpty { arrivals.note(waiter) }
            return polls[waiter]
        }
        crowd.send { polls[$0] }
        // The first message of each shows that all of them wait.
        _ = try await time(-1, nil, arrivals, writer)
        print("parked")
        fflush(nil)
        _ = readLine()
        try await measure(arrivals, writer) {
            try await parked?.wait(for: waiters, after: arrivals.counts.reduce(0, +), caller)
        }
        let counts = arrivals.counts
        let lost = counts.reduce(0) { $0 + max(0, 1 + toAll - $1) }
        let twice = counts.reduce(0, +) - waiters * (1 + toAll) - single
        print("lost \(lost) twice \(max(twice, 0)) ended \(crowd.ended)")
        crowd.hangUp()
        try await caller.shutdown()
    }

    /// - Parameter park: returns once all wait.
    private func measure(
        _ arrivals: Arrivals, _ writer: CloudSession, _ park: () async throws -> Void
    ) async throws {
        var one = Latencies()
        for number in 0..<single {
            one.add(try await time(number, Int.random(in: 0..<waiters), arrivals, writer).arrivals)
        }
        var all = Latencies()
        var answers = Latencies()
        var last = Duration.zero
        for number in 0..<toAll {
            try await park()
            let (times, answer) = try await time(number + single, nil, arrivals, writer)
            last = max(last, times.percentile(1))
            all.add(times)
            answers.add(answer)
        }
        let figures = [
            one.percentile(0.5), one.percentile(0.99), all.percentile(0.5), all.percentile(0.99), last,
            answers.percentile(0.5),
        ]
        print(figures.map { String(format: "%.2f", $0.milliseconds) }.joined(separator: " "))
    }

    /// - Returns: when each has arrived, and the writer's own answer.
    private func time(
        _ number: Int, _ waiter: Int?, _ arrivals: Arrivals, _ writer: CloudSession
    ) async throws -> (arrivals: Latencies, answer: Duration) {
        arrivals.begin(expecting: waiter == nil ? waiters : 1)
        let start = ContinuousClock.now
        try await writer.modify("public", Bodies.modify([Subscribers.news("news-\(number)", for: waiter)]))
        let answer = ContinuousClock.now - start
        var latencies = Latencies()
        for arrival in await arrivals.all(within: Self.within) { latencies.add(arrival - start) }
        return (latencies, answer)
    }

    /// - Returns: each waiter's poll.
    private func register(_ caller: HTTPCaller) async throws -> [[UInt8]] {
        let polls = Mutex(Array(repeating: [UInt8](), count: waiters))
        let (container, origin) = (target.container, target.origin)
        try await forEach(0..<waiters, inFlight: 8) { number in
            (number, try await Subscribers.add(number, to: container, at: origin, through: caller))
        } each: { number, path in
            polls.withLock { $0[number] = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8) }
        }
        return polls.withLock { $0 }
    }
}

/// The courier's answers as they come.
enum Courier {
    /// Takes one whole answer away; nil while it is not all there.
    ///
    /// - Returns: its body.
    static func takeAnswer(_ received: inout [UInt8]) -> [UInt8]? {
        guard let end = position(of: "\r\n\r\n", in: received).map({ $0 + 4 }) else { return nil }
        let length = contentLength(received[..<end])
        guard received.count >= end + length else { return nil }
        defer { received.removeFirst(end + length) }
        return Array(received[end..<end + length])
    }

    /// Thousands come at once on a machine that the server shares, so no more is looked at than must be.
    private static func contentLength(_ head: ArraySlice<UInt8>) -> Int {
        guard let name = position(of: "ength: ", in: head) else { return 0 }
        return head[(head.startIndex + name + 7)...].prefix { (48...57).contains($0) }
            .reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// How far from the beginning a text begins.
    private static func position(of text: StaticString, in bytes: some ContiguousBytes) -> Int? {
        bytes.withUnsafeBytes { bytes -> Int? in
            let count = text.utf8CodeUnitCount
            guard bytes.count >= count else { return nil }
            return (0...bytes.count - count).first { start in
                (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
            }
        }
    }
}
