import ArgumentParser
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The floor to compare with: NIO's loop and parser, and the same bytes for every request.
@main
struct BareHandler: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare-handler",
        abstract: "Answers every request with the bytes of one file, GET requests once a POST arrives.")

    @Option(help: "The loopback port to listen on.")
    var port: Int

    @Option(help: "The file whose bytes are the answer.")
    var answer: String

    func run() async throws {
        let body = try [UInt8](Data(contentsOf: URL(filePath: answer)))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = ByteBuffer(bytes: Array(head.utf8) + body)
        let loops = MultiThreadedEventLoopGroup.singleton
        let waiting = Dictionary(
            uniqueKeysWithValues: loops.makeIterator().map { (ObjectIdentifier($0), Waiting(loop: $0, bytes)) })
        let socket = try await ServerBootstrap(group: loops)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(HTTPRequestDecoder()), Answering(bytes, waiting))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await socket.closeFuture.get()
    }
}

/// The GET requests of one event loop that wait for a POST.
private final class Waiting: @unchecked Sendable {
    let loop: any EventLoop
    private let bytes: ByteBuffer
    /// Used on the loop only.
    private var contexts: [ChannelHandlerContext] = []

    init(loop: any EventLoop, _ bytes: ByteBuffer) {
        self.loop = loop
        self.bytes = bytes
    }

    func add(_ context: ChannelHandlerContext) { contexts.append(context) }

    func answer() {
        for context in contexts { context.writeAndFlush(NIOAny(bytes), promise: nil) }
        contexts.removeAll(keepingCapacity: true)
    }
}

private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let bytes: ByteBuffer
    private let waiting: [ObjectIdentifier: Waiting]
    private var isWaiting = false

    init(_ bytes: ByteBuffer, _ waiting: [ObjectIdentifier: Waiting]) {
        self.bytes = bytes
        self.waiting = waiting
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): isWaiting = head.method == .GET
        case .body: break
        case .end where isWaiting: waiting[ObjectIdentifier(context.eventLoop)]?.add(context)
        case .end:
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            for loop in waiting.values { loop.loop.execute { loop.answer() } }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
