import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `GET /aps`: the oldest notification that waits for a push token, or the next to come (reference B §7.4).
///
/// CloudKit JS takes any JSON for a notification, whatever the status, so nothing else here has a body.
final class Courier: Sendable {
    private let reader: TokenReader
    private let hub: NotificationHub
    private let hold: TimeAmount
    private let lint: ClientLint?
    private let logger: Logger

    /// - Parameters:
    ///   - hold: the time after which a poll is answered with nothing.
    ///   - lint: watches those who poll; nil where nobody has asked for that.
    init(reader: TokenReader, hub: NotificationHub, hold: Duration, lint: ClientLint?, logger: Logger) {
        self.reader = reader
        self.hub = hub
        self.hold = TimeAmount(hold)
        self.lint = lint
        self.logger = logger
    }

    /// - Parameter text: the push token, as the client sent it.
    func respond(_ text: String?, _ recipient: Recipient) async throws -> Reply {
        let token = try await reader.open(text)
        guard let listener = await hub.listen(to: token.id) else { return .now(.bodiless(.ok)) }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        let poll = Poll(courier: self, text: text, recipient: recipient, listener: listener, end: .now() + hold)
        return try await poll.look(token)
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
            guard let message = try await courier.reader.next(token) else {
                return .later(Reply.Wait(listener: listener, end: end) { try await ended($0) })
            }
            courier.lint?.noteDelivery(message.notification.body, to: text)
            return .now(courier.delivery(of: message, to: recipient, for: listener))
        }

        private func ended(_ ending: WaitEnding) async throws -> Reply {
            if ending == .woken { return try await look(courier.reader.open(text)) }
            courier.lint?.noteEnd(ofPollBy: text, after: .now - began, isHungUp: ending == .hungUp)
            return .now(.bodiless(.ok))
        }
    }

    /// The message counts as delivered once the socket has taken the answer, and nobody else gets it before.
    private func delivery(
        of message: TokenReader.Message, to recipient: Recipient, for listener: NotificationListener
    ) -> Response {
        let bytes = ByteBuffer(bytes: message.notification.body)
        let body = ResponseBody(contentLength: bytes.readableBytes) { [logger] writer in
            defer { listener.leave() }
            try await recipient.send(bytes, last: true, through: &writer)
            await message.acknowledge(keeping: false, logger)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"],
            body: body)
    }
}

extension TokenReader.Message {
    /// Notes that it has arrived. A disk at fault lets it come once more, which is better than not at all.
    ///
    /// - Returns: whether that could be noted.
    @discardableResult
    func acknowledge(keeping: Bool, _ logger: Logger) async -> Bool {
        if comesAgain { return true }
        do { try await store.acknowledge(notification, keeping: keeping) } catch {
            logger.error("a delivered notification could not be noted", metadata: ["error": "\(error)"])
            return false
        }
        onDelivery(self)
        return true
    }
}

extension StatusRenderer {
    static let poll = StatusRenderer(fault: .internalServerError)
}
