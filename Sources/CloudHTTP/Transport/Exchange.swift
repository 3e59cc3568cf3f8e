import CloudModel
package import CloudStore
import Logging
package import NIOCore
import Synchronization

/// One request and its answer.
///
/// Passes a small answer to the connection in one hop. State: the unsent part of the answer, touched by the answering
/// task, and by the event loop while the task awaits it.
package final class Exchange: @unchecked Sendable {
    /// The connection's address, readable from any thread.
    package let connection: Connections.Connection?
    package let channel: any Channel
    private let handler: NIOLoopBound<ExchangeHandler>
    /// The answer; nil once its head is sent.
    private var kept: Response?
    /// The only piece of a streamed body, kept to send head and body together.
    private var body: ByteBuffer?
    private var isFinished = false
    /// True if the answer announces the close of the connection.
    private let isLast: Bool
    /// Counts the request until the connection has taken the answer.
    private var ticket: RequestsInFlight.Ticket?
    /// Counts the answer's bytes until the connection has taken them.
    private var allowance: ResponseAllowance?
    private let gone = Atomic(false)

    /// True if the system may send files straight to the socket.
    let takesFiles: Bool

    init(
        _ handler: ExchangeHandler, _ channel: any Channel, _ connection: Connections.Connection?, isLast: Bool
    ) {
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        takesFiles = handler.abilities.takesFiles
        self.isLast = isLast && !handler.abilities.isHTTP2
        self.channel = channel
        self.connection = connection
    }

    /// True once the client has disconnected.
    var isGone: Bool { gone.load(ordering: .relaxed) }

    func markGone() { gone.store(true, ordering: .relaxed) }

    /// Counts the request until the connection has taken the answer. Called by the answering task.
    package func hold(_ ticket: RequestsInFlight.Ticket) { self.ticket = ticket }

    /// Counts the answer's bytes until the connection has taken them. Called by the answering task.
    package func hold(_ allowance: ResponseAllowance) { self.allowance = allowance }

    var isHolding: Bool { ticket != nil || allowance != nil }

    /// Releases the counts after the connection has taken the answer. On the event loop, after the task.
    func letGo() { (ticket, allowance) = (nil, nil) }

    /// Answers `request` and reports the end to the connection. On the event loop.
    ///
    /// - Parameters:
    ///   - bodySize: bytes of the request's body; nil if unknown.
    ///   - isAtOnce: true to try answering on the event loop, without a task.
    package func begin(
        _ request: Request, _ match: RouteMatch?, bodySize: Int?, isAtOnce: Bool, by server: HTTPServer
    ) {
        let call = RequestCall(request, match, CloudRequestContext(self))
        if call.isPoll { return poll(call, server) }
        let executor = LargeBodies.executor(forBodyOf: bodySize, isStreamed: match?.info.kind == .upload)
        guard isAtOnce else {
            _ = Task(executorPreference: executor) { [self] in
                await send(call, server) { try server.handler.reply(to: call) }
            }
            return
        }
        reply(to: call, server, on: executor)
    }

    /// Runs the steps, and sends an answer that needs no task. On the event loop.
    private func reply(to call: RequestCall, _ server: HTTPServer, on executor: (any TaskExecutor)? = nil) {
        do {
            let reply = try server.handler.reply(to: call)
            switch reply {
            case .now(let response) where response.body.isWhole:
                (kept, isFinished) = (response, true)
                handler.value.end(self, after: nil)
            case .started(let work): begin(work, call, server)
            default: _ = Task(executorPreference: executor) { [self] in await send(call, server) { reply } }
            }
        } catch {
            handler.value.end(self, after: error)
        }
    }

    /// Starts work whose answer runs the steps again.
    private func begin(_ work: StartedWork, _ call: RequestCall, _ server: HTTPServer) {
        work.start { [self] answer in
            onLoop { [self] _ in
                call.resume(with: Result { try answer() })
                reply(to: call, server)
            }
        }
    }

    /// Runs the steps of a poll on its turn.
    private func poll(_ call: RequestCall, _ server: HTTPServer) {
        server.turns.begin { [self] turn in
            call.begin(turn)
            await send(call, server) { try server.handler.reply(to: call) }
            turn.end()
        }
    }

    /// Sends the reply, immediately or after its wait.
    private func send(_ call: RequestCall, _ server: HTTPServer, _ reply: () async throws -> Reply) async {
        do {
            switch try await reply() {
            case .now(let response):
                // A client that reads slowly holds no poll's turn.
                call.context.turn?.end()
                try await send(response)
            case .work(let work): return await send(call, server, work)
            case .started(let work): return begin(work, call, server)
            case .later(let pending):
                return pending.listener.wait(until: pending.end, on: channel.eventLoop) {
                    self.resume(call, pending, $0, server)
                }
            }
            onLoop { $0.end(self, after: nil) }
        } catch {
            onLoop { $0.end(self, after: error) }
        }
    }

    /// Resumes after a wait. One change may end thousands of waits: an answer handed over with the wake-up needs no task.
    private func resume(
        _ call: RequestCall, _ pending: any PendingAnswer, _ ending: WaitEnding, _ server: HTTPServer
    ) {
        guard case .woken(let handed?) = ending else { return read(call, pending, ending, server) }
        onLoop { [self] _ in
            if var answer = pending.answer(handed), let response = finished(answer.response, call, server) {
                answer.response = response
                send(answer)
            } else {
                read(call, pending, ending, server)
            }
        }
    }

    /// Reads the queue on the poll's turn, after a wait.
    private func read(
        _ call: RequestCall, _ pending: any PendingAnswer, _ ending: WaitEnding, _ server: HTTPServer
    ) {
        call.resume(with: .success(.work { try await pending.resume(ending) }))
        poll(call, server)
    }

    /// Runs the steps `record`, `decorate` and `render` on an answer.
    private func finished(_ response: Response, _ call: RequestCall, _ server: HTTPServer) -> Response? {
        call.resume(with: .success(.now(response)))
        guard case .now(let response) = try? server.handler.reply(to: call) else { return nil }
        return response
    }

    /// On the event loop.
    private func send(_ answer: Reply.Answer) {
        kept = answer.response
        Recipient.sendWhole(of: self, by: handler.value) { [self] result in
            switch result {
            case .success: SentPolls.add(self, answer.delivery)
            case .failure(let error):
                answer.delivery.end()
                handler.value.end(self, after: error)
            }
        }
    }

    /// Ends the exchange of a poll after sending its answer. On the event loop.
    func endPoll() { handler.value.end(self, after: nil) }

    private func send(_ response: Response) async throws {
        kept = response
        guard case .pieces(let length, let write) = response.body.content else {
            isFinished = true
            return
        }
        // Drop the write closure: it may retain this exchange.
        kept?.body = ResponseBody(contentLength: length) { _ in }
        var writer: any ResponseBodyWriter = Writer(exchange: self, length: length)
        try await write(&writer)
    }

    /// Runs `work` on the connection's event loop, synchronously if already there.
    func onLoop(_ work: @escaping @Sendable (ExchangeHandler) -> Void) {
        if channel.eventLoop.inEventLoop { return work(handler.value) }
        channel.eventLoop.execute { [handler] in work(handler.value) }
    }

    /// Runs `work` on the connection's event loop and awaits its future.
    func onLoop<T: Sendable>(_ work: @escaping @Sendable (ExchangeHandler) -> EventLoopFuture<T>) async throws -> T {
        let loop = channel.eventLoop
        return try await (loop.inEventLoop ? work(handler.value) : loop.flatSubmit { [handler] in work(handler.value) })
            .get()
    }

    /// False once the answer's head is sent. On the event loop.
    private(set) var isUnanswered = true

    /// The status of the answer; nil once its head is sent.
    var keptStatus: HTTPResponse.Status? { kept?.status }

    /// Consecutive parts of an answer.
    struct Parts {
        let first: AnswerPart
        var rest: [AnswerPart] = []
    }

    /// Takes the unsent parts of the answer, followed by `more`. On the event loop.
    ///
    /// - Parameter isEnd: true if `more` ends the body.
    /// - Returns: nil if nothing is unsent.
    func handOver(_ more: ByteBuffer? = nil, isEnd: Bool = false) -> Parts? {
        let ends = isEnd || isFinished
        isFinished = false
        var pieces: [AnswerPart] = []
        if let response = kept.take() {
            isUnanswered = false
            let isLast = handler.value.closes(after: response.status) || isLast
            if ends, let whole = whole(response, more) { return Parts(first: .whole(whole, isLast: isLast)) }
            pieces.append(.head(response, isLast: isLast))
        }
        if let body = body.take() { pieces.append(.body(body)) }
        if let more { pieces.append(.body(more)) }
        if ends { pieces.append(.end) }
        return pieces.first.map { Parts(first: $0, rest: Array(pieces.dropFirst())) }
    }

    /// The answer with its full body; nil for a body of several pieces.
    private func whole(_ response: Response, _ more: ByteBuffer?) -> Response? {
        guard case .pieces(let length, _) = response.body.content else { return response }
        guard body == nil || more == nil else { return nil }
        let bytes = body.take() ?? more ?? ByteBuffer()
        // A body shorter than its announced length is streamed, and the connection closed.
        guard length == nil || length == bytes.readableBytes else {
            body = more == nil ? bytes : nil
            return nil
        }
        var whole = response
        whole.body = ResponseBody(byteBuffer: bytes)
        return whole
    }

    /// Keeps a body of one piece, and streams other bodies.
    private struct Writer: ResponseBodyWriter {
        let exchange: Exchange
        /// Bytes of the full body; nil if unknown.
        let length: Int?

        func write(_ buffer: ByteBuffer) async throws {
            if exchange.kept != nil, exchange.body == nil, buffer.readableBytes == length {
                exchange.body = buffer
            } else {
                try await exchange.onLoop { [exchange] in exchange.write(buffer, by: $0) }
            }
        }

        func finish() async throws { exchange.isFinished = true }
    }
}
