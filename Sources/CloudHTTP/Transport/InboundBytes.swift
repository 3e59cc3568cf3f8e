import NIOCore

/// Passes received bytes on until ``drop()``, then discards them.
///
/// Stands before NIO's decoders, which would buffer all bytes after an upgrade, a `CONNECT` or an error without parsing
/// them.
final class InboundBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isDropping = false

    func drop() { isDropping = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isDropping { context.fireChannelRead(data) }
    }
}
