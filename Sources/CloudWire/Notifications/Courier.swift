import CloudAccounts
package import CloudHTTP
import CloudModel
package import CloudStore
import NIOCore

/// `GET /aps`: the oldest notification for a push token, or the next to arrive (reference B §7.4).
///
/// CloudKit JS takes any JSON body for a notification, whatever its status, so all other answers have no body.
package final class Courier: Sendable {
    private let reader: TokenReader
    private let hub: NotificationHub
    private let hold: TimeAmount
    private let observer: (any TrafficObserver)?

    /// - Parameters:
    ///   - hold: the longest wait before an empty answer.
    ///   - observer: watches clients; nil except on a development server.
    package init(reader: TokenReader, hub: NotificationHub, hold: Duration, observer: (any TrafficObserver)?) {
        self.reader = reader
        self.hub = hub
        self.hold = TimeAmount(hold)
        self.observer = observer
    }

    /// - Parameter text: the push token from the client.
    package func respond(_ text: String?, _ context: CloudRequestContext) async throws -> Reply {
        let token = try await reader.open(text)
        let recipient = context.recipient
        guard let listener = await hub.listen(to: token.id, before: { context.turn?.end() }) else {
            return .now(.bodiless(.ok))
        }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        let poll = Poll(self, text, token, recipient, listener, end: .now() + hold)
        return try await poll.look()
    }

    /// `HEAD /aps` and `HEAD /events`: check the token, without taking a message or replacing a waiting poll.
    package func look(_ text: String?, isStream: Bool) async throws -> Response {
        _ = try await reader.open(text)
        var response = Response.bodiless(.ok)
        if isStream { response.headers[.contentType] = EventStream.contentType }
        return response
    }

    /// A poll from its first read to its end.
    private final class Poll: PendingAnswer {
        let courier: Courier
        let text: String?
        /// The token at the read of its queue.
        let token: PushToken
        let recipient: Recipient
        let listener: NotificationListener
        let end: NIODeadline
        let began: ContinuousClock.Instant

        init(
            _ courier: Courier, _ text: String?, _ token: PushToken, _ recipient: Recipient,
            _ listener: NotificationListener, end: NIODeadline, began: ContinuousClock.Instant = .now
        ) {
            (self.courier, self.text, self.token) = (courier, text, token)
            (self.recipient, self.listener, self.end, self.began) = (recipient, listener, end, began)
        }

        /// Answers with the oldest message, or waits for the next.
        func look() async throws -> Reply {
            if let message = try await courier.reader.next(token) { return .now(response(message)) }
            return .later(self)
        }

        func resume(_ ending: WaitEnding) async throws -> Reply {
            if case .woken = ending {
                let token = try await courier.reader.open(text)
                return try await Poll(courier, text, token, recipient, listener, end: end, began: began).look()
            }
            courier.observer?.noteEnd(ofPollBy: text, after: .now - began, isHungUp: ending == .hungUp)
            return .now(.bodiless(.ok))
        }

        /// The message counts as delivered once the socket has taken the answer. Other polls for the token wait until then.
        private func response(_ message: TokenReader.Message) -> Response {
            courier.observer?.noteDelivery(message.notification.body, to: text)
            let (courier, recipient, listener) = (courier, recipient, listener)
            let bytes = ByteBuffer(bytes: message.notification.body)
            return Self.response(
                ResponseBody(contentLength: bytes.readableBytes) { writer in
                    defer { listener.leave() }
                    try await recipient.send(bytes, last: true, through: &writer)
                    await courier.reader.note(message, keeping: false)
                })
        }

        /// The answer for a handed-over message; nil if the queue must be read instead.
        func answer(_ handed: HandedMessage) -> Reply.Answer? {
            guard let message = courier.reader.message(handed, to: token) else { return nil }
            courier.observer?.noteDelivery(message.notification.body, to: text)
            let response = Self.response(ResponseBody(bytes: message.notification.body))
            return Reply.Answer(
                response: response, delivery: HandedDelivery(courier.reader, message, listener))
        }

        private static let head = AnswerHead(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"])

        private static func response(_ body: ResponseBody) -> Response { Response(head: head, body: body) }
    }
}

extension StatusRenderer {
    package static let poll = StatusRenderer(fault: .internalServerError)
}
