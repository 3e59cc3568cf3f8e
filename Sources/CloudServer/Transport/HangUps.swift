import NIOCore
import NIOHTTPTypes

/// Notices that whoever asked has gone, for answers that wait.
///
/// A client that hangs up is heard of as one that sends no more; its connection ends only when something is written
/// to it. So who has stopped sending counts as gone here.
final class HangUps: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let connections: Connections
    private(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?

    /// - Parameter connections: where others learn of it.
    init(connections: Connections) { self.connections = connections }

    /// - Parameter watcher: called once the other end has gone; takes the place of the one before.
    func watch(_ watcher: @escaping @Sendable () -> Void) {
        if isGone { watcher() } else { self.watcher = watcher }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hasGone(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasGone(context.channel)
        context.fireChannelInactive()
    }

    private func hasGone(_ channel: any Channel) {
        isGone = true
        connections.connection(of: channel)?.markGone()
        watcher.take()?()
    }
}
