@testable import CloudHTTP
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

/// The end of a connection of HTTP/2 that is closing.
struct HTTP2LifetimeTests {
    private static let times = HTTP2Lifetime.Times(handshake: .seconds(10), idle: .seconds(75), reading: .seconds(30))

    /// A connection that has begun to close while it had no request.
    private static func closing() throws -> (EmbeddedChannel, HTTP2Lifetime) {
        let lifetime = HTTP2Lifetime(times, inbound: InboundBytes())
        let channel = EmbeddedChannel(handler: lifetime)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(HTTP2Frame(streamID: .rootStream, payload: .settings(.settings([]))))
        lifetime.close()
        return (channel, lifetime)
    }

    @Test("A request begun before its idle connection closes is answered")
    func lateRequest() throws {
        let (channel, lifetime) = try Self.closing()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
        lifetime.streamOpened(1)
        channel.embeddedEventLoop.advanceTime(by: .seconds(7))
        #expect(channel.isActive)
        lifetime.streamClosed()
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test("Requests during a connection's closing delay its end by the grace period at most")
    func bounded() throws {
        let (channel, lifetime) = try Self.closing()
        lifetime.streamOpened(1)
        lifetime.streamOpened(3)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(!channel.isActive)
    }

    @Test("A closing connection without requests ends once its client could read the last frame")
    func idle() throws {
        let (channel, _) = try Self.closing()
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }
}
