import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `GET /aps`: the oldest notification that waits for a push token, or the next to come (reference B §7.4).
///
/// CloudKit JS takes any JSON for a notification, whatever the status, so nothing else here has a body.
struct Courier: Sendable {
    let reader: TokenReader
    let hub: NotificationHub
    let settings: PushSettings
    /// Watches those who poll; nil where nobody has asked for that.
    let lint: ClientLint?
    let logger: Logger

    func answer(_ query: QueryString, _ context: CloudRequestContext) async throws -> Response {
        let (text, recipient) = (query.pushToken, context.recipient)
        let (began, end) = (ContinuousClock.now, NIODeadline.now() + TimeAmount(settings.courierHold))
        var known = try await reader.open(text)
        guard let listener = await hub.listen(to: known.id) else { return .bodiless(.ok) }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        while true {
            var nowhere = EventPlace()
            if let message = try await reader.next(known, replaying: &nowhere) {
                lint?.noteDelivery(message.notification.body, to: text)
                return delivery(of: message, to: recipient, for: listener)
            }
            let ending = await listener.wait(within: end - .now())
            guard ending == .woken else {
                lint?.noteEnd(ofPollBy: text, after: .now - began, isHungUp: ending == .hungUp)
                return .bodiless(.ok)
            }
            known = try await reader.open(text)
        }
    }

    /// The message counts as delivered once the socket has taken the answer, and nobody else gets it before.
    private func delivery(
        of message: TokenReader.Message, to recipient: Recipient, for listener: NotificationListener
    ) -> Response {
        let bytes = ByteBuffer(bytes: message.notification.body)
        let body = ResponseBody(contentLength: bytes.readableBytes) { writer in
            defer { listener.leave() }
            try await recipient.send(bytes, last: true, through: &writer)
            await message.settle(keeping: false, logger)
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
    func settle(keeping: Bool, _ logger: Logger) async -> Bool {
        if comesAgain { return true }
        do { try await store.settle(notification, keeping: keeping) } catch {
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
