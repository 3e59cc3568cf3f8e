import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// A small HTTP/1.1 server with one handler, for rarely used addresses. Buffers whole requests.
package struct PlainServer: Service {
    /// Largest request body in bytes; a larger body closes the connection.
    private static let mostBytes = 1 << 20
    private static let idleTime = TimeAmount.seconds(75)

    private let host: String
    private let port: Int
    private let respond: @Sendable (Request) async throws -> Response
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - respond: answers a request; an error closes the connection without an answer.
    package init(
        host: String, port: Int, respond: @escaping @Sendable (Request) async throws -> Response,
        onListening: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.host = host
        self.port = port
        self.respond = respond
        self.onListening = onListening
    }

    /// - Throws: errors of binding the address.
    package func run() async throws {
        let live = LiveConnections()
        let socket = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [respond] channel in
                live.add(channel, until: channel.closeFuture)
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandlers(
                        IdleStateHandler(allTimeout: Self.idleTime),
                        PlainHandler(mostBytes: Self.mostBytes, respond))
                }
            }
            .bind(host: host, port: port).get()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onListening(socket.localAddress?.port ?? port)
                try? await socket.closeFuture.get()
                await live.wait()
            } onGracefulShutdown: {
                socket.close(promise: nil)
                live.close()
            }
        } onCancel: {
            socket.close(promise: nil)
        }
    }
}

/// Answers the requests of one connection in order; NIO holds pipelined requests back.
private final class PlainHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let mostBytes: Int
    private let respond: @Sendable (Request) async throws -> Response
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(mostBytes: Int, _ respond: @escaping @Sendable (Request) async throws -> Response) {
        self.mostBytes = mostBytes
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, ByteBuffer())
        case .body(let bytes):
            guard body.readableBytes + bytes.readableBytes <= mostBytes else { return context.close(promise: nil) }
            body.writeImmutableBuffer(bytes)
        case .end:
            guard let head = head.take() else { return }
            answer(head, context.channel)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ channel: any Channel) {
        let request = Request(head: HTTPRequest(head), body: RequestBody(buffer: body))
        Task { [respond] in
            do {
                let response = try await respond(request)
                let writer = Writer(channel: channel)
                let answer = HTTPResponseHead(
                    version: head.version, status: .init(statusCode: response.status.code),
                    headers: HTTPHeaders(response.fields.map { ($0.name.rawName, $0.value) }))
                channel.write(HTTPServerResponsePart.head(answer), promise: nil)
                try await response.body.write(writer)
                if !head.isKeepAlive { try await channel.close() }
            } catch {
                channel.close(promise: nil)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private struct Writer: ResponseBodyWriter {
        let channel: any Channel

        func write(_ bytes: ByteBuffer) async throws {
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes)))
        }

        func finish() async throws { try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)) }
    }
}
