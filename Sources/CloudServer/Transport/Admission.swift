import CloudModel
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The time that a connection without a place has.
enum RefusedConnection {
    /// The time in all, so that it gives way to the next.
    static let longest = TimeAmount.seconds(2)
    /// The time that the client has to take the answer.
    static let grace = TimeAmount.milliseconds(200)
}

/// Takes a place for a connection of HTTP/1.1; one that gets none has its first request refused, and is closed.
final class Admission: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let gate: ConnectionGate
    private let responder: Responder
    private let inbound: InboundBytes
    private var place: ConnectionPlace?
    private var isAnswered = false
    private var end: Scheduled<Void>?

    /// - Parameter inbound: drops what comes after a refused request.
    init(gate: ConnectionGate, responder: Responder, inbound: InboundBytes) {
        self.gate = gate
        self.responder = responder
        self.inbound = inbound
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context.channel)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        place?.leave()
        end?.cancel()
    }

    /// A busy server may take long to get here, and a request that has come is answered then.
    private func begin(_ channel: any Channel) {
        guard place == nil else { return }
        let place = ConnectionPlace(channel, gate: gate, connections: responder.bounds.connections)
        self.place = place
        ConnectionPlace.endUnread(channel, after: responder.configuration.readingTime)
        if place.refusal != nil { close(channel, in: RefusedConnection.longest) }
    }

    private func close(_ channel: any Channel, in time: TimeAmount) {
        end?.cancel()
        end = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let refusal = place?.refusal else { return context.fireChannelRead(data) }
        guard !isAnswered, case .head(let request) = unwrapInboundIn(data) else { return }
        isAnswered = true
        // What else comes is read and dropped: were it left, closing would take the answer along.
        inbound.drop()
        let channel = context.channel
        for part in responder.refuse(request, of: channel, refusal, isLast: true) {
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        channel.close(mode: .output, promise: nil)
        close(channel, in: RefusedConnection.grace)
    }
}

/// Refuses the request of a stream, on a connection of HTTP/2 that has no place.
final class RefusedStream: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let refusal: ServerError
    private let responder: Responder
    private let connection: any Channel
    private let isAnswered: (HTTPRequest) -> Void

    /// - Parameter isAnswered: told of the request once it is refused.
    init(
        _ refusal: ServerError, responder: Responder, connection: any Channel,
        isAnswered: @escaping (HTTPRequest) -> Void
    ) {
        self.refusal = refusal
        self.responder = responder
        self.connection = connection
        self.isAnswered = isAnswered
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        for part in responder.refuse(request, of: connection, refusal, isLast: false) {
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        isAnswered(request)
    }
}

extension Responder {
    /// The answer to a request of a connection that has no place, which is recorded.
    fileprivate func refuse(
        _ request: HTTPRequest, of channel: any Channel, _ error: ServerError, isLast: Bool
    ) -> [HTTPResponsePart] {
        let trace = RequestTrace()
        trace.refuse(error)
        let address = ClientAddress(headers: [:], peer: channel.remoteAddress, trustForwardedFor: false)?.text
        recorder.note(trace, request, nil, address: address, status: error.code.status, bytesOut: nil)
        return ConnectionRefusal(error).answer(to: request, trace, isLast: isLast)
    }
}
