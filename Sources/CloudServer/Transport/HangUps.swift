import NIOCore
import NIOHTTPTypes

/// Notices that whoever asked has gone, for answers that wait.
///
/// A client that hangs up is heard of as one that sends no more; its connection ends only when something is written
/// to it. So who has stopped sending counts as gone here.
final class HangUps: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?

    /// - Parameter watcher: called once the other end has gone; takes the place of the one before.
    func watch(_ watcher: @escaping @Sendable () -> Void) {
        if isGone { watcher() } else { self.watcher = watcher }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hasGone() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasGone()
        context.fireChannelInactive()
    }

    private func hasGone() {
        isGone = true
        watcher.take()?()
    }
}
