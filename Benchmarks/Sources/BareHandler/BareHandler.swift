import ArgumentParser
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The floor to compare with: NIO's loop and parser, and the same bytes for every request.
@main
struct BareHandler: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare-handler", abstract: "Answers every request with the bytes of one file.")

    @Option(help: "The loopback port to listen on.")
    var port: Int

    @Option(help: "The file whose bytes are the answer.")
    var answer: String

    func run() async throws {
        let body = try [UInt8](Data(contentsOf: URL(filePath: answer)))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = ByteBuffer(bytes: Array(head.utf8) + body)
        let socket = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(HTTPRequestDecoder()), Answering(bytes))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await socket.closeFuture.get()
    }
}

private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let bytes: ByteBuffer

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
