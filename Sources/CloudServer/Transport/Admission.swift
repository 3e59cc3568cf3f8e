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
    private let responder: Responder
    private let dates: DateField
    private let connection: any Channel
    private let isAnswered: (HTTPRequest) -> Void

    /// - Parameter isAnswered: called with the refused request.
    init(
        _ refusal: ServerError, responder: Responder, dates: DateField, connection: any Channel,
        isAnswered: @escaping (HTTPRequest) -> Void
    ) {
        self.refusal = refusal
        self.responder = responder
        self.dates = dates
        self.connection = connection
        self.isAnswered = isAnswered
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let request = HTTPRequest(head)
        let response = responder.refuse(request, of: connection, refusal)
        HTTP2Answer.write(.whole(response, isLast: false), date: dates.text) { part, _ in
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        isAnswered(request)
    }
}

extension Responder {
    /// Answers and records a request of a connection that was not admitted.
    func refuse(_ request: HTTPRequest, of channel: any Channel, _ error: ServerError) -> Response {
        let trace = RequestTrace()
        trace.refuse(error)
        let address = ClientAddress(headers: [:], peer: channel.remoteAddress, trustForwardedFor: false)?.text
        recorder.note(trace, request, nil, address: address, status: error.code.status, bytesOut: nil)
        return ConnectionRefusal(error).answer(to: request, trace)
    }
}
