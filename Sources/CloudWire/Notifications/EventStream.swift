import CloudAccounts
package import CloudHTTP
import CloudModel
package import CloudStore
import NIOCore

/// `GET /events`: notifications as server-sent events.
///
/// Delivered events are kept for a while, for replay after the client's Last-Event-ID.
package struct EventStream: Sendable {
    package let reader: TokenReader
    package let hub: NotificationHub
    package let settings: PushSettings
    /// Watches clients; nil except on a development server.
    package let observer: (any TrafficObserver)?

    package static let contentType = "text/event-stream"

    package func respond(
        _ request: Request, _ query: QueryString, _ context: CloudRequestContext
    ) async throws -> Response {
        let recipient = context.recipient
        let token = try await reader.open(query.pushToken)
        guard let listener = await hub.listen(to: token.id) else { return .bodiless(.ok) }
        try await recipient.watch { [weak listener] in listener?.hangUp() }
        let place = (request.headers[.lastEventID] ?? query.lastEventID).flatMap { EventPosition($0) }
        if let last = place?.last { try await reader.acknowledge(last, by: token) }
        let stream = Streaming(
            source: self, text: query.pushToken, listener: listener, recipient: recipient,
            place: place ?? EventPosition())
        return Response(
            status: .ok,
            headers: [
                .contentType: Self.contentType, .cacheControl: "no-store",
                // Asks buffering proxies to pass events on immediately.
                HTTPField.Name(token: "X-Accel-Buffering"): "no",
            ],
            body: ResponseBody { writer in try await stream.run(&writer) })
    }

    /// One stream from its first event to its last.
    private struct Streaming: Sendable {
        let source: EventStream
        let text: String?
        let listener: NotificationListener
        let recipient: Recipient
        /// The client's position before this stream.
        let place: EventPosition

        func run(_ writer: inout any ResponseBodyWriter) async throws {
            defer { listener.leave() }
            var replayed = place
            var reached = place
            try await recipient.send(ByteBuffer(string: "retry: 1000\n\n"), through: &writer)
            while !listener.isReleased, let token = try await source.reader.goodToken(text) {
                if let message = try await source.reader.next(token, replaying: &replayed) {
                    if replayed.ids[message.source] != nil { replayed.ids[message.source] = message.notification.id }
                    reached.reach(message.notification, from: message.source)
                    source.observer?.noteDelivery(message.notification.body, to: text)
                    try await recipient.send(event(message, reached), through: &writer)
                    if !message.notification.isDelivered { try await acknowledge(message, through: &writer) }
                } else if await listener.wait(within: heartbeat) == .deadline {
                    try await recipient.send(Self.comment, through: &writer)
                }
            }
            try await recipient.finish(through: &writer)
        }

        /// Records a sent message before the next read, which would return it again. Retries until the disk accepts it;
        /// meanwhile the stream sends only comments.
        private func acknowledge(
            _ message: TokenReader.Message, through writer: inout any ResponseBodyWriter
        ) async throws {
            while await !source.reader.note(message, keeping: true), !listener.isReleased {
                try await recipient.send(Self.comment, through: &writer)
                try await Task.sleep(for: .seconds(1))
            }
        }

        private static let comment = ByteBuffer(string: ":\n\n")

        private var heartbeat: TimeAmount { TimeAmount(source.settings.eventHeartbeat) }

        private func event(_ message: TokenReader.Message, _ place: EventPosition) -> ByteBuffer {
            var event = ByteBuffer(string: "id: \(place.text)\ndata: ")
            event.writeBytes(message.notification.body)
            event.writeString("\n\n")
            return event
        }
    }
}
