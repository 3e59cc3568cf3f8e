import NIOCore
import NIOHTTPTypes

/// Ends connections whose request takes too long to arrive, so that slow senders cannot hold them all.
final class SlowSenders: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let longest: TimeAmount
    private var isReceiving = false
    private var deadline: Scheduled<Void>?

    init(longest: TimeAmount) {
        self.longest = longest
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReceiving = true
        case .end:
            isReceiving = false
            deadline?.cancel()
            deadline = nil
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive whole, and cost no timer.
        if isReceiving && deadline == nil {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: longest) { channel.close(promise: nil) }
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }
}
