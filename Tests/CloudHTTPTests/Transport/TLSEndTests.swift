@testable import CloudHTTP
import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

/// The end of TLS connections when the server stops, on a loop whose time the test moves.
@Suite(.timeLimit(.minutes(5)))
struct TLSEndTests {
    /// TLS with a client that does not answer the alert: it never closes by itself.
    private final class Unanswered: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
    }

    private let channel = EmbeddedChannel()

    init() throws {
        let socket = TLSEnd.Socket()
        try channel.pipeline.syncOperations.addHandlers([socket, Unanswered(), TLSEnd(socket)])
        channel.pipeline.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    @Test("A connection that closes during shutdown waits a tenth of a second for the client's alert")
    func closing() {
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.pipeline.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("A connection already closing at shutdown ends as soon")
    func closingBefore() {
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        channel.pipeline.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        #expect(!channel.isActive)
    }

    @Test("An unfinished handshake is aborted at shutdown, and a running request is not")
    func handshake() throws {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!channel.isActive)
        let other = try TLSEndTests()
        other.channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        other.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        other.channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(other.channel.isActive)
    }
}
