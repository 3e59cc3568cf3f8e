package import NIOHTTP1
package import NIOCore
import NIOPosix
import Synchronization

/// An S3 on the loopback that answers as it is told, or not at all.
package final class FaultyStore: Sendable {
    package struct Answer: Sendable {
        let status: Int
        let headers: [(String, String)]
        let body: String
        let delay: TimeAmount

        /// - Parameter delay: until its first byte.
        package init(
            _ status: Int, headers: [(String, String)] = [], body: String = "", after delay: TimeAmount = .zero
        ) {
            self.delay = delay
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    private let channel: any Channel
    private let received: Requests

    /// Such as `http://127.0.0.1:8333`.
    package var endpoint: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The heads of the requests that have come.
    package var heads: [HTTPRequestHead] { received.heads.withLock { $0 } }

    /// Methods of the requests that have come.
    package var methods: [String] { received.heads.withLock { $0.map(\.method.rawValue) } }

    fileprivate final class Requests: Sendable {
        let heads = Mutex<[HTTPRequestHead]>([])
    }

    /// - Parameter answer: asked for each request and the number of its body's bytes; nil to keep the client waiting.
    package convenience init(
        _ answer: @escaping @Sendable (_ request: HTTPRequestHead, _ bytes: Int) -> Answer?
    ) async throws {
        try await self.init(answeringBodies: { answer($0, $1.readableBytes) })
    }

    /// One that keeps objects.
    ///
    /// - Parameter fault: asked for each request; the answer to give in place of the right one, or nil in it to keep the
    ///   client waiting.
    package convenience init(
        keeping fault: @escaping @Sendable (_ request: HTTPRequestHead) -> Answer??
    ) async throws {
        let objects = Mutex<[String: String]>([:])
        try await self.init(answeringBodies: { request, body in
            if let fault = fault(request) { return fault }
            return objects.withLock { objects in
                let missing = Answer(404, body: "<Error><Code>NoSuchKey</Code></Error>")
                switch request.method {
                case .PUT:
                    objects[request.uri] = String(buffer: body)
                    return Answer(200, headers: [("etag", "e")])
                case .DELETE:
                    objects[request.uri] = nil
                    return Answer(204)
                default:
                    return objects[request.uri].map { Answer(200, headers: [("etag", "e")], body: $0) } ?? missing
                }
            }
        })
    }

    private init(
        answeringBodies answer: @escaping @Sendable (_ request: HTTPRequestHead, _ body: ByteBuffer) -> Answer?
    ) async throws {
        let received = Requests()
        self.received = received
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(Handler(received, answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Listens no more.
    package func close() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let received: Requests
        private let answer: @Sendable (HTTPRequestHead, ByteBuffer) -> Answer?
        private var head: HTTPRequestHead?
        private var body = ByteBuffer()

        init(_ received: Requests, _ answer: @escaping @Sendable (HTTPRequestHead, ByteBuffer) -> Answer?) {
            self.received = received
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, ByteBuffer())
            case .body(var part): body.writeBuffer(&part)
            case .end:
                guard let head else { return }
                received.heads.withLock { $0.append(head) }
                guard let answer = answer(head, body) else { return }
                context.eventLoop.assumeIsolated().scheduleTask(in: answer.delay) {
                    self.write(answer, to: head, context)
                }
            }
        }

        private func write(_ answer: Answer, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            var headers = HTTPHeaders(answer.headers)
            if !headers.contains(name: "content-length") {
                headers.add(name: "content-length", value: "\(answer.body.utf8.count)")
            }
            context.write(
                wrapOutboundOut(
                    .head(.init(version: .http1_1, status: .init(statusCode: answer.status), headers: headers))),
                promise: nil)
            if head.method != .HEAD {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
