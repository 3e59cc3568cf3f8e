import CloudModel
import CloudStore
import NIOCore

/// `GET /aps`: the oldest notification that waits for a push token, or the next to come (reference B §7.4).
///
/// CloudKit JS takes any JSON for a notification, whatever the status, so nothing else here has a body.
final class Courier: Sendable {
    private let reader: TokenReader
    private let hub: NotificationHub
    private let hold: TimeAmount
    private let lint: ClientLint?

    /// - Parameters:
    ///   - hold: the time after which a poll is answered with nothing.
    ///   - lint: watches those who poll; nil where nobody has asked for that.
    init(reader: TokenReader, hub: NotificationHub, hold: Duration, lint: ClientLint?) {
        self.reader = reader
        self.hub = hub
        self.hold = TimeAmount(hold)
        self.lint = lint
    }

    /// - Parameter text: the push token, as the client sent it.
    func respond(_ text: String?, _ context: CloudRequestContext) async throws -> Reply {
        let token = try await reader.open(text)
        let recipient = context.recipient
        guard let listener = await hub.listen(to: token.id, before: { context.turn?.end() }) else {
            return .now(.bodiless(.ok))
        }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        let poll = Poll(courier: self, text: text, recipient: recipient, listener: listener, end: .now() + hold)
        return try await poll.look(token)
    }

    /// `HEAD /aps` and `HEAD /events`: tells whether the token is good. No message is taken, and nobody is replaced.
    func look(_ text: String?, _ wait: Route.Wait) async throws -> Response {
        _ = try await reader.open(text)
        var response = Response.bodiless(.ok)
        if wait == .stream { response.headers[.contentType] = EventStream.contentType }
        return response
    }

    /// A poll from its first look to its end.
    private struct Poll: Sendable {
        let courier: Courier
        let text: String?
        let recipient: Recipient
        let listener: NotificationListener
        let end: NIODeadline
        let began = ContinuousClock.now

        /// Answers with the oldest message, or waits for the next.
        func look(_ token: PushToken) async throws -> Reply {
            if let message = try await courier.reader.next(token) { return .now(response(message)) }
            return .later(
                Reply.Wait(
                    listener: listener, end: end, atOnce: { answer($0, to: token) }, resume: { try await ended($0) }))
        }

        private func ended(_ ending: WaitEnding) async throws -> Reply {
            if case .woken = ending { return try await look(courier.reader.open(text)) }
            courier.lint?.noteEnd(ofPollBy: text, after: .now - began, isHungUp: ending == .hungUp)
            return .now(.bodiless(.ok))
        }

        /// The message counts as delivered once the socket has taken the answer, and nobody else gets it before.
        private func response(_ message: TokenReader.Message) -> Response {
            courier.lint?.noteDelivery(message.notification.body, to: text)
            let bytes = ByteBuffer(bytes: message.notification.body)
            return Self.response(
                ResponseBody(contentLength: bytes.readableBytes) { writer in
                    defer { listener.leave() }
                    try await recipient.send(bytes, last: true, through: &writer)
                    await courier.reader.note(message, keeping: false)
                })
        }

        /// The same for a message that was handed over; nil where the queue has to be asked.
        private func answer(_ handed: HandedMessage, to token: PushToken) -> Reply.Answer? {
            guard let message = courier.reader.message(handed, to: token) else { return nil }
            courier.lint?.noteDelivery(message.notification.body, to: text)
            let response = Self.response(ResponseBody(bytes: message.notification.body))
            return Reply.Answer(response: response, message: message, reader: courier.reader, listener: listener)
        }

        private static let head = AnswerHead(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"])

        private static func response(_ body: ResponseBody) -> Response { Response(head: head, body: body) }
    }
}

extension StatusRenderer {
    static let poll = StatusRenderer(fault: .internalServerError)
}
