import CloudModel
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes

/// One request of a connection and its answer.
///
/// A short answer is handed to the connection whole, in one hop. State: the part of the answer that is not handed over
/// yet, touched by the task that answers, and by the event loop while that task waits for it.
final class Exchange: @unchecked Sendable {
    /// The connection, as other threads may look at it.
    let connection: Connections.Connection?
    let channel: any Channel
    private let handler: NIOLoopBound<ExchangeHandler>
    private var head: HTTPResponse?
    private var body: ByteBuffer?
    private var isFinished = false

    init(_ handler: NIOLoopBound<ExchangeHandler>, _ channel: any Channel, _ connection: Connections.Connection?) {
        self.handler = handler
        self.channel = channel
        self.connection = connection
    }

    /// Answers `request` by `responder`, and tells the connection when that is done.
    func run(_ request: Request, _ match: Router.Match?, by responder: Responder, _ dates: DateField) async {
        do {
            var response = try await responder.respond(
                to: request, match, context: CloudRequestContext(self, responder.logger))
            response.headers[.date] = dates.text
            head = response.head
            try await response.body.write(Writer(exchange: self, length: response.body.contentLength))
            onLoop { $0.end(self, after: nil) }
        } catch {
            onLoop { $0.end(self, after: error) }
        }
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

    /// Hands over what has been kept of the answer. On the event loop.
    func flush(_ write: (HTTPResponsePart) -> Void) {
        if let head = head.take() { write(.head(head)) }
        if let body = body.take() { write(.body(body)) }
        if isFinished { write(.end(nil)) }
        isFinished = false
    }

    /// Keeps a body that comes whole, and hands over one that comes in pieces.
    private struct Writer: ResponseBodyWriter {
        let exchange: Exchange
        /// Bytes of the whole body; nil where they are not known before.
        let length: Int?

        func write(_ buffer: ByteBuffer) async throws {
            if exchange.head != nil, exchange.body == nil, buffer.readableBytes == length {
                exchange.body = buffer
            } else {
                try await exchange.onLoop { [exchange] in $0.write([.body(buffer)], of: exchange) }
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws { exchange.isFinished = true }
    }
}
