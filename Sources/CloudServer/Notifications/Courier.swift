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
    func respond(_ text: String?, _ recipient: Recipient) async throws -> Response {
        let began = ContinuousClock.now
        let end = NIODeadline.now() + hold
        // A task keeps the memory of the deepest call that it has made, and thousands of polls wait in theirs. So they
        // look in short ones before.
        let known = try await Task { [reader] in try await reader.open(text) }.value
        guard let listener = await hub.listen(to: known.id) else { return .bodiless(.ok) }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        var found = try await Task { [reader] in try await reader.next(known) }.value
        while true {
            if let message = found {
                lint?.noteDelivery(message.notification.body, to: text)
                return delivery(of: message, to: recipient, for: listener)
            }
            let ending = await listener.wait(within: end - .now())
            guard ending == .woken else {
                lint?.noteEnd(ofPollBy: text, after: .now - began, isHungUp: ending == .hungUp)
                return .bodiless(.ok)
            }
            found = try await reader.next(reader.open(text))
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
        onDelivery(notification.created)
        return true
    }
}

extension StatusRenderer {
    static let poll = StatusRenderer(fault: .internalServerError)
}
