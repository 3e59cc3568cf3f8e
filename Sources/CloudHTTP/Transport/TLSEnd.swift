import NIOCore
import NIOTLS

/// Ends a TLS connection at shutdown without the wait for the client's `close_notify` alert.
///
/// This handler stands behind the TLS handler, ``Socket`` before it. State: touched on the connection's event loop only.
final class TLSEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Closes the socket without TLS's closing handshake.
    final class Socket: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
        func close() { context?.close(promise: nil) }
    }

    /// The time for the client's alert once the server stops.
    private static let longest = TimeAmount.milliseconds(100)

    private let socket: Socket
    private var hasAgreed = false
    private var isStopping = false
    private var isClosing = false

    init(_ socket: Socket) { self.socket = socket }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.handshakeCompleted) = event as? TLSUserEvent { hasAgreed = true }
        if event is ChannelShouldQuiesceEvent {
            isStopping = true
            // No request arrives before the handshake.
            guard hasAgreed else { return socket.close() }
            if isClosing { closeSoon(context) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        guard mode == .all, !isClosing else { return }
        isClosing = true
        if isStopping { closeSoon(context) }
    }

    /// Leaves a client that is still reading its answer the full TLS timeout.
    private func closeSoon(_ context: ChannelHandlerContext) {
        let channel = context.channel
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.longest) { [self] in
            let waiting = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
            if (waiting ?? 0) == 0 { socket.close() }
        }
    }
}
