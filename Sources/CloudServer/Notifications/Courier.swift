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
    let logger: Logger

    func answer(_ query: QueryString, _ context: CloudRequestContext) async -> Response {
        do { return try await poll(query.pushToken, context.recipient, context.trace) } catch {
            return .bodiless(after: error, context.trace, logger)
        }
    }

    private func poll(
        _ text: String?, _ recipient: Recipient, _ trace: RequestTrace
    ) async throws -> Response {
        let end = NIODeadline.now() + TimeAmount(settings.courierHold)
        var (standing, token) = try await reader.open(text)
        guard var known = token else { return .bodiless(standing, trace) }
        guard let listener = await hub.listen(to: known.id) else { return .bodiless(.ok) }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        while true {
            var nowhere = EventPlace()
            if let message = try await reader.next(known, replaying: &nowhere) {
                return delivery(of: message, to: recipient, for: listener)
            }
            guard await listener.wait(within: end - .now()) == .woken else { return .bodiless(.ok) }
            (standing, token) = try await reader.open(text)
            guard let token else { return .bodiless(standing, trace) }
            known = token
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
        do { try await store.settle(notification, keeping: keeping) } catch {
            logger.error("a delivered notification could not be noted", metadata: ["error": "\(error)"])
            return false
        }
        onDelivery(notification.created)
        return true
    }
}

extension Response {
    /// An answer that is its status alone.
    static func bodiless(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.contentLength: "0", .cacheControl: "no-store"])
    }

    /// The answer for a push token that cannot be listened to.
    static func bodiless(_ standing: TokenReader.Standing, _ trace: RequestTrace) -> Response {
        let isExpired = standing == .expired
        trace.refuse("the push token cannot be listened to", isExpired ? .credentials(.expiredLink) : .missing(.token))
        return bodiless(isExpired ? .gone : .notFound)
    }

    static func bodiless(after error: any Error, _ trace: RequestTrace, _ logger: Logger) -> Response {
        switch error {
        case let error as ServerError where error.code != .internalError:
            trace.refuse(error)
            return bodiless(error.code.status)
        case is CancellationError, is ChannelError: return bodiless(.serviceUnavailable)
        default:
            logger.error(
                "unexpected failure", metadata: ["error": "\(String(reflecting: error))", "request": "\(trace.id)"])
            trace.refuse("internal error", .server(.fault))
            return bodiless(.internalServerError)
        }
    }
}
