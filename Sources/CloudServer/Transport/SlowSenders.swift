import NIOCore
import NIOHTTPTypes

/// Ends connections whose request takes too long to arrive, so that slow senders cannot hold them all, nor keep a
/// server that is stopping from stopping.
final class SlowSenders: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// What a request that is still arriving has left once the server stops.
    private static let grace = TimeAmount.seconds(4)

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
        if isReceiving && deadline == nil { close(context.channel, in: longest) }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, isReceiving {
            deadline?.cancel()
            close(context.channel, in: min(Self.grace, longest))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }

    private func close(_ channel: any Channel, in time: TimeAmount) {
        deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
