import CloudModel
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Turns away a connection that its address has no room for, and has the system end one whose other end takes nothing
/// of what it was sent.
final class ConnectionBounds: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// `TCP_USER_TIMEOUT` of Linux, which covers a window that stays closed as well as a host that is gone.
    private static let userTimeout = NIOBSDSocket.Option(rawValue: 18)

    private let connections: Connections
    private let readingTime: Duration
    private var isTurnedAway = false

    /// - Parameter readingTime: the time for which the other end may take nothing.
    init(connections: Connections, readingTime: Duration) {
        self.connections = connections
        self.readingTime = readingTime
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        if !isTurnedAway { context.fireChannelActive() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isTurnedAway { context.fireChannelRead(data) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { connections.close(context.channel) }

    private func begin(_ context: ChannelHandlerContext) {
        Self.endUnread(context.channel, after: readingTime)
        if connections.open(context.channel) == nil { turnAway(context) }
    }

    /// Has the system end a connection whose other end takes nothing for so long. Where that cannot be set, it lasts
    /// longer, and nothing else is lost.
    static func endUnread(_ channel: any Channel, after time: Duration) {
        let milliseconds = SocketOptionValue(Int32(clamping: Int(time / .milliseconds(1))))
        _ = channel.setOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: userTimeout), value: milliseconds)
    }

    private func turnAway(_ context: ChannelHandlerContext) {
        isTurnedAway = true
        let error = ServerError(
            .throttled,
            "too many connections from this address, at most \(connections.mostPerAddress ?? 0) are allowed "
                + "(connectionsPerAddress)", .limit(connections.mostPerAddress ?? 0, "connectionsPerAddress"),
            retryAfter: 1)
        var writer = JSONWriter(capacity: 256)
        writer.object { $0.errorMembers(error) }
        let head = HTTPResponse(
            status: error.code.status,
            headerFields: [
                .contentType: "application/json; charset=UTF-8", .contentLength: String(writer.bytes.count),
                .connection: "close", .retryAfter: "1",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: writer.bytes))), promise: nil)
        let channel = context.channel
        let ended = context.eventLoop.makePromise(of: Void.self)
        ended.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: ended)
    }
}
