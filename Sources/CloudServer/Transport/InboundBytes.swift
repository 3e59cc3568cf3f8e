import NIOCore

/// Passes on what a connection receives for as long as it is read, and drops the rest.
///
/// It stands before NIO's decoders, which keep all further bytes after an upgrade, a `CONNECT` or an error, and parse
/// none of them.
final class InboundBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isDropping = false

    /// Drops what comes from now on.
    func drop() { isDropping = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isDropping { context.fireChannelRead(data) }
    }
}
