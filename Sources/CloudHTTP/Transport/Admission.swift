import CloudModel
import NIOCore
import NIOHTTPTypes

/// Time limits of a refused connection.
enum RefusedConnection {
    /// The longest life of a refused connection.
    static let longest = TimeAmount.seconds(2)
    /// The client's time to read the refusal.
    static let grace = TimeAmount.milliseconds(200)
}

/// Refuses a stream's request on an HTTP/2 connection that was not admitted.
final class RefusedStream: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let refusal: ServerError
    private let server: HTTPServer
    private let dates: DateField
    private let connection: any Channel
    private let isAnswered: (HTTPRequest) -> Void

    /// - Parameter isAnswered: called with the refused request.
    init(
        _ refusal: ServerError, server: HTTPServer, dates: DateField, connection: any Channel,
        isAnswered: @escaping (HTTPRequest) -> Void
    ) {
        self.refusal = refusal
        self.server = server
        self.dates = dates
        self.connection = connection
        self.isAnswered = isAnswered
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let request = HTTPRequest(head)
        let response = server.handler.refuse(request, of: connection, refusal)
        HTTP2Answer.write(.whole(response, isLast: false), date: dates.text) { part, _ in
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        isAnswered(request)
    }
}
