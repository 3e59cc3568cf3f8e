import CloudModel
import NIOCore
import NIOHTTPTypes

/// The time that a connection without a place has.
enum RefusedConnection {
    /// The time in all, so that it gives way to the next.
    static let longest = TimeAmount.seconds(2)
    /// The time that the client has to take the answer.
    static let grace = TimeAmount.milliseconds(200)
}

/// Refuses the request of a stream, on a connection of HTTP/2 that has no place.
final class RefusedStream: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let refusal: ServerError
    private let responder: Responder
    private let dates: DateField
    private let connection: any Channel
    private let isAnswered: (HTTPRequest) -> Void

    /// - Parameter isAnswered: told of the request once it is refused.
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
    /// The answer to a request of a connection that has no place, which is recorded.
    func refuse(_ request: HTTPRequest, of channel: any Channel, _ error: ServerError) -> Response {
        let trace = RequestTrace()
        trace.refuse(error)
        let address = ClientAddress(headers: [:], peer: channel.remoteAddress, trustForwardedFor: false)?.text
        recorder.note(trace, request, nil, address: address, status: error.code.status, bytesOut: nil)
        return ConnectionRefusal(error).answer(to: request, trace)
    }
}
