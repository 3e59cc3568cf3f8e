import CloudModel
package import Hummingbird
import NIOCore

/// The values that Hummingbird carries along a request; the rest travels in `DatabaseCall` and `PageCall`.
package struct CloudRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// The address that the connection comes from.
    let peer: SocketAddress?
    /// Sends files through the connection.
    let sender: FileSender
    /// Whoever gets the answer.
    let recipient: Recipient
    /// The decisions on the request's way, and what it costs.
    let trace = RequestTrace()
    /// The name of the route, once it is known.
    var route = ""

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress
        sender = FileSender(source.channel)
        recipient = Recipient(source.channel)
    }
}
