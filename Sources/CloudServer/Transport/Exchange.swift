import CloudModel
import CloudStore
import Logging
import NIOCore
import Synchronization

/// One request of a connection and its answer.
///
/// A short answer is handed to the connection whole, in one hop. State: the part of the answer that is not handed over
/// yet, touched by the task that answers, and by the event loop while that task waits for it.
final class Exchange: @unchecked Sendable {
    /// The connection, as other threads may look at it.
    let connection: Connections.Connection?
    let channel: any Channel
    private let handler: NIOLoopBound<ExchangeHandler>
    /// The answer, until its head is handed over.
    private var kept: Response?
    /// The bytes of a body that is written in pieces, where the first piece is all of it.
    private var body: ByteBuffer?
    private var isFinished = false
    /// True for an answer that tells the client that the connection closes after it.
    private let isLast: Bool
    /// The client's place among the requests in flight, until the connection has taken the answer.
    private var ticket: RequestsInFlight.Ticket?
    /// The bytes of the answer among those in flight, until the connection has taken them.
    private var allowance: ResponseAllowance?
    private let gone = Atomic(false)

    /// True where the bytes of files may be left to the system to send.
    let takesFiles: Bool

    init(_ handler: ExchangeHandler, _ channel: any Channel, _ connection: Connections.Connection?, isLast: Bool) {
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        takesFiles = handler.takesFiles
        self.isLast = isLast && !handler.isHTTP2
        self.channel = channel
        self.connection = connection
    }

    /// True once nobody is left to read the answer.
    var isGone: Bool { gone.load(ordering: .relaxed) }

    func markGone() { gone.store(true, ordering: .relaxed) }

    /// Keeps the client's place until the connection has taken the answer. Called by the task that answers.
    func hold(_ ticket: RequestsInFlight.Ticket) { self.ticket = ticket }

    /// Counts the bytes of the answer until the connection has taken them. Called by the task that answers.
    func hold(_ allowance: ResponseAllowance) { self.allowance = allowance }

    /// True where a place or bytes are held.
    var isHolding: Bool { ticket != nil || allowance != nil }

    /// Holds them no more, since the connection has taken the answer. On the event loop, once the task is done.
    func letGo() { (ticket, allowance) = (nil, nil) }

    /// Answers `request` by `responder`, and tells the connection when that is done. On the event loop.
    ///
    /// - Parameters:
    ///   - bodySize: bytes of the request's body; nil when they are not known yet.
    ///   - isAtOnce: whether an answer may be made on the event loop, where that takes a moment.
    func begin(
        _ request: Request, _ match: Router.Match?, bodySize: Int?, isAtOnce: Bool, by responder: Responder
    ) {
        let call = RequestCall(request, match, CloudRequestContext(self))
        if call.isPoll {
            return look(responder.turns) { turn in
                try RequestSteps.reply(to: RequestCall(request, match, CloudRequestContext(self, turn)), by: responder)
            }
        }
        let executor = LargeBodies.executor(forBodyOf: bodySize, isStreamed: match?.row.kind == .upload)
        guard isAtOnce else {
            _ = Task(executorPreference: executor) { [self] in
                await send(responder.turns) { try RequestSteps.reply(to: call, by: responder) }
            }
            return
        }
        do {
            let reply = try RequestSteps.reply(to: call, by: responder)
            if case .now(let response) = reply, response.body.isWhole {
                (kept, isFinished) = (response, true)
                return handler.value.end(self, after: nil)
            }
            _ = Task(executorPreference: executor) { [self] in await send(responder.turns) { reply } }
        } catch {
            handler.value.end(self, after: error)
        }
    }

    private func look(
        _ turns: PollTurns, _ reply: @escaping @Sendable (PollTurns.Turn) async throws -> Reply
    ) {
        turns.begin { [self] turn in
            await send(turns) {
                defer { turn.end() }
                return try await reply(turn)
            }
        }
    }

    /// Sends what `reply` answers, now or once its wait is over.
    private func send(_ turns: PollTurns, _ reply: () async throws -> Reply) async {
        do {
            switch try await reply() {
            case .now(let response): try await send(response)
            case .work(let work): return await send(turns, work)
            case .later(let wait):
                return wait.listener.wait(until: wait.end, on: channel.eventLoop) { self.end(wait, $0, turns) }
            }
            onLoop { $0.end(self, after: nil) }
        } catch {
            onLoop { $0.end(self, after: error) }
        }
    }

    /// Goes on after a wait. Thousands of them may end at once by one change: an answer that is at hand takes no task.
    private func end(_ wait: Reply.Wait, _ ending: WaitEnding, _ turns: PollTurns) {
        let resume = { @Sendable in self.look(turns) { _ in try await wait.resume(ending) } }
        guard case .woken(let handed?) = ending else { return resume() }
        onLoop { _ in
            guard let answer = wait.atOnce(handed) else { return resume() }
            self.send(answer)
        }
    }

    /// On the event loop.
    private func send(_ answer: Reply.Answer) {
        kept = answer.response
        Recipient.sendWhole(of: self, by: handler.value) { [self] result in
            switch result {
            case .success: SentPolls.add(self, answer)
            case .failure(let error):
                answer.listener.leave()
                handler.value.end(self, after: error)
            }
        }
    }

    /// Ends the exchange of a poll whose answer has been sent. On the event loop.
    func endPoll() { handler.value.end(self, after: nil) }

    private func send(_ response: Response) async throws {
        kept = response
        guard case .pieces(let length, let write) = response.body.content else {
            isFinished = true
            return
        }
        // Not what writes it, which may hold this exchange.
        kept?.body = ResponseBody(contentLength: length) { _ in }
        var writer: any ResponseBodyWriter = Writer(exchange: self, length: length)
        try await write(&writer)
    }

    /// Runs `work` on the connection's event loop, at once where that is the caller's thread.
    func onLoop(_ work: @escaping @Sendable (ExchangeHandler) -> Void) {
        if channel.eventLoop.inEventLoop { return work(handler.value) }
        channel.eventLoop.execute { [handler] in work(handler.value) }
    }

    /// Runs `work` on the connection's event loop, and waits for what it promises.
    func onLoop<T: Sendable>(_ work: @escaping @Sendable (ExchangeHandler) -> EventLoopFuture<T>) async throws -> T {
        let loop = channel.eventLoop
        return try await (loop.inEventLoop ? work(handler.value) : loop.flatSubmit { [handler] in work(handler.value) })
            .get()
    }

    /// True until the head of the answer is handed over. On the event loop.
    private(set) var isUnanswered = true

    /// The status of the answer, until its head is handed over.
    var keptStatus: HTTPResponse.Status? { kept?.status }

    /// Parts of an answer, one at least.
    struct Parts {
        let first: AnswerPart
        var rest: [AnswerPart] = []
    }

    /// Hands over what has been kept of the answer, and more of its body. On the event loop.
    ///
    /// - Parameter isEnd: whether the body ends with it.
    /// - Returns: nil where there is nothing.
    func handOver(_ more: ByteBuffer? = nil, isEnd: Bool = false) -> Parts? {
        let ends = isEnd || isFinished
        isFinished = false
        var pieces: [AnswerPart] = []
        if let response = kept.take() {
            isUnanswered = false
            if ends, let whole = whole(response, more) { return Parts(first: .whole(whole, isLast: isLast)) }
            pieces.append(.head(response, isLast: isLast))
        }
        if let body = body.take() { pieces.append(.body(body)) }
        if let more { pieces.append(.body(more)) }
        if ends { pieces.append(.end) }
        return pieces.first.map { Parts(first: $0, rest: Array(pieces.dropFirst())) }
    }

    /// The answer with all of its body; nil where that is in more than one piece.
    private func whole(_ response: Response, _ more: ByteBuffer?) -> Response? {
        guard case .pieces(let length, _) = response.body.content else { return response }
        guard body == nil || more == nil else { return nil }
        let bytes = body.take() ?? more ?? ByteBuffer()
        // One that is shorter than it says is written as it is, and its connection ends.
        guard length == nil || length == bytes.readableBytes else {
            body = more == nil ? bytes : nil
            return nil
        }
        var whole = response
        whole.body = ResponseBody(byteBuffer: bytes)
        return whole
    }

    /// Keeps a body that comes whole, and hands over one that comes in pieces.
    private struct Writer: ResponseBodyWriter {
        let exchange: Exchange
        /// Bytes of the whole body; nil where they are not known before.
        let length: Int?

        func write(_ buffer: ByteBuffer) async throws {
            if exchange.kept != nil, exchange.body == nil, buffer.readableBytes == length {
                exchange.body = buffer
            } else {
                try await exchange.onLoop { [exchange] in $0.write(buffer, of: exchange) }
            }
        }

        func finish() async throws { exchange.isFinished = true }
    }
}
