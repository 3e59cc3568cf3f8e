import CloudModel
import Foundation
import Glibc
import Synchronization

/// The browser's own protocol over two pipes: JSON messages, each ended by a zero byte.
///
/// State under one lock: commands that wait for their answer, by id; those who wait for an event; events kept.
final class DevTools: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Something that happened in one page, or in the browser as a whole.
    struct Event: Sendable {
        let method: String
        let session: String?
        let parameters: JSONObject
    }

    private struct Waiter {
        let matches: @Sendable (Event) -> Bool
        let source: AsyncStream<Event>.Continuation
    }

    private struct State {
        var lastID: Int64 = 0
        var answers: [Int64: CheckedContinuation<JSONObject, any Error>] = [:]
        var waiters: [Waiter] = []
        var faults: [String: [String]] = [:]
        var failure: Failure?
    }

    private let input: FileHandle
    private let output: FileHandle
    private let state = Mutex(State())

    /// - Parameters:
    ///   - input: what the browser writes.
    ///   - output: what it reads.
    ///   - epitaph: how the browser ended, asked once nothing comes from it any more.
    init(input: FileHandle, output: FileHandle, epitaph: @escaping @Sendable () async -> String) {
        self.input = input
        self.output = output
        // A thread of its own: it does nothing but read.
        Thread.detachNewThread { [self] in
            read()
            Task { end(Failure(description: await epitaph())) }
        }
    }

    /// Sends a command and waits for its answer.
    @discardableResult
    func send(_ method: String, _ parameters: [String: JSONValue] = [:], session: String? = nil) async throws
        -> JSONObject
    {
        try await withCheckedThrowingContinuation { continuation in
            let (id, failure) = state.withLock { state in
                state.lastID += 1
                if state.failure == nil { state.answers[state.lastID] = continuation }
                return (state.lastID, state.failure)
            }
            if let failure { return continuation.resume(throwing: failure) }
            var message = JSONObject([
                .init(key: "id", value: .integer(id)), .init(key: "method", value: .string(method)),
                .init(
                    key: "params", value: .object(JSONObject(parameters.map { .init(key: $0.key, value: $0.value) }))),
            ])
            if let session {
                message = JSONObject(message.members + [.init(key: "sessionId", value: .string(session))])
            }
            var writer = JSONWriter()
            writer.value(.object(message))
            do { try output.write(contentsOf: Data(writer.bytes + [0])) } catch {
                state.withLock { $0.answers.removeValue(forKey: id) }?.resume(throwing: error)
            }
        }
    }

    /// The events from now on that match; the stream ends with the browser.
    func events(_ matches: @escaping @Sendable (Event) -> Bool) -> AsyncStream<Event> {
        let (stream, source) = AsyncStream<Event>.makeStream()
        state.withLock { state in
            if state.failure != nil {
                source.finish()
            } else {
                state.waiters.append(Waiter(matches: matches, source: source))
            }
        }
        return stream
    }

    /// Errors that scripts of a page threw, and loads that the browser refused, violations of policies among them.
    func faults(session: String) -> [String] { state.withLock { $0.faults[session] ?? [] } }

    private func read() {
        var rest = Data()
        while true {
            let data = input.availableData
            if data.isEmpty { break }
            // Earlier bytes hold no end of a message.
            let searched = rest.count
            rest += data
            guard let last = rest[searched...].lastIndex(of: 0) else { continue }
            for message in rest[...last].split(separator: 0) { take(Array(message)) }
            rest = Data(rest[(last + 1)...])
        }
    }

    private func end(_ failure: Failure) {
        let (answers, waiters) = state.withLock { state in
            state.failure = failure
            defer { (state.answers, state.waiters) = ([:], []) }
            return (state.answers, state.waiters)
        }
        for answer in answers.values { answer.resume(throwing: failure) }
        for waiter in waiters { waiter.source.finish() }
    }

    private func take(_ bytes: [UInt8]) {
        guard let message = try? JSONParser.parse(bytes).object else { return }
        if let id = message["id"]?.integer {
            let continuation = state.withLock { $0.answers.removeValue(forKey: id) }
            if let error = message["error"]?.object {
                continuation?.resume(throwing: Failure(description: error["message"]?.string ?? "refused"))
            } else {
                continuation?.resume(returning: message["result"]?.object ?? JSONObject())
            }
        } else if let method = message["method"]?.string {
            let event = Event(
                method: method, session: message["sessionId"]?.string,
                parameters: message["params"]?.object ?? JSONObject())
            note(event)
            for waiter in state.withLock({ $0.waiters.filter { $0.matches(event) } }) { waiter.source.yield(event) }
        }
    }

    private func note(_ event: Event) {
        guard let session = event.session else { return }
        let text: String? =
            switch event.method {
            case "Runtime.exceptionThrown":
                event.parameters["exceptionDetails"]?.object.flatMap {
                    $0["exception"]?.object?["description"]?.string ?? $0["text"]?.string
                }
            case "Log.entryAdded":
                event.parameters["entry"]?.object.flatMap { $0["level"]?.string == "error" ? $0["text"]?.string : nil }
            default: nil
            }
        if let text { state.withLock { $0.faults[session, default: []].append(text) } }
    }
}
