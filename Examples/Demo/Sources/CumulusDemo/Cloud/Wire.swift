import CumulusKit
import Foundation
import Synchronization

/// The way to the server: whatever goes over it is shown and counted.
final class Wire: HTTPTransport {
    struct Counts {
        var requests = 0
        var records = 0
    }

    private struct State {
        var counts = Counts()
        var columns: [String] = []
        var last = Exchange()
    }

    /// What was asked last, and what the server said to it.
    struct Exchange {
        var request = JSON.null
        var status = 0
        var answer = JSON.null

        var error: JSON? { answer["serverErrorCode"] }
        /// The records of an answer, or of all zones of one.
        var records: [JSON] {
            (answer["records"]?.array ?? []) + (answer["zones"]?.array ?? []).flatMap { $0["records"]?.array ?? [] }
        }
    }

    private static let bodyLimit = 420
    private static let pathLimit = 100
    @TaskLocal private static var isQuiet = false

    private let transport = URLSessionTransport()
    private let console: Console
    private let state = Mutex(State())

    init(console: Console) { self.console = console }

    var counts: Counts { state.withLock { $0.counts } }
    var last: Exchange { state.withLock { $0.last } }

    /// The fields that are columns of the tables from now on, where a record has them.
    func show(columns: [String]) { state.withLock { $0.columns = columns } }

    /// Does something whose requests are counted and not shown.
    static func quietly<T>(_ work: () async throws -> T) async rethrows -> T {
        try await $isQuiet.withValue(true, operation: work)
    }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let body = request.body.flatMap(JSON.init)
        if !Self.isQuiet { show(request, body) }
        let start = ContinuousClock.now
        do {
            let answer = try await transport.send(request)
            let time = start.duration(to: .now)
            let exchange = Exchange(
                request: body ?? .null, status: answer.status, answer: JSON(answer.body) ?? .null)
            state.withLock {
                $0.counts.requests += 1
                $0.counts.records += exchange.records.count
                $0.last = exchange
            }
            if !Self.isQuiet { show(exchange, of: answer, after: time) }
            return answer
        } catch {
            if !Self.isQuiet { console.line("no answer", .bad, indent: 5) }
            throw error
        }
    }

    func stream(
        _ request: HTTPRequest
    ) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>) {
        try await transport.stream(request)
    }

    /// The path is shown without the query, which has the credentials, and not to the end where it is one itself.
    private func show(_ request: HTTPRequest, _ body: JSON?) {
        let path = request.url.path
        let shown = path.count <= Self.pathLimit ? path : "\(path.prefix(Self.pathLimit / 2))…"
        console.line("\(request.method) \(shown)", .request, indent: 5)
        if let body {
            console.line(JSONOutline(body, limit: Self.bodyLimit).text, .quiet, indent: 5)
        } else if let data = request.body {
            console.line("\(data.count.grouped) bytes", .quiet, indent: 5)
        }
    }

    private func show(_ exchange: Exchange, of answer: HTTPAnswer, after time: Duration) {
        let records = exchange.records
        var parts = ["\(exchange.status)"]
        if let error = exchange.error?.string {
            parts[0] += " \(error): \(exchange.answer["reason"]?.string ?? "no reason given")"
        }
        parts[0] += " in \(time.milliseconds)"
        if exchange.answer == .null { parts.append("\(answer.body.count.grouped) bytes") }
        if exchange.answer["records"] != nil || !records.isEmpty {
            parts.append("\(records.count.grouped) record\(records.count == 1 ? "" : "s")")
        }
        if exchange.answer["continuationMarker"] != nil { parts.append("more to come") }
        console.line(parts.joined(separator: ", "), indent: 5)
        guard !records.isEmpty else { return }
        let columns = state.withLock { $0.columns }
        for line in RecordTable(records, fields: columns).lines { console.line(line, indent: 7) }
    }
}
