import CloudModel
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Counts the connections and decides which of them are answered. Those beyond the most are told to come back; a few at a
/// time, the others wait to be accepted.
final class ConnectionGate: AvailableConnectionsDelegate {
    /// The number of connections that are told to come back at a time.
    static let turnedAwayAtOnce = 32

    let most: Int
    private let accepted = Atomic(0)
    private let admitted = Atomic(0)

    init(most: Int) { self.most = most }

    // MARK: Accepting, on the event loop of the listening socket

    func connectionOpened() { accepted.add(1, ordering: .relaxed) }
    func connectionClosed() { accepted.subtract(1, ordering: .relaxed) }
    func isAcceptingNewConnections() -> Bool { accepted.load(ordering: .relaxed) < most + Self.turnedAwayAtOnce }

    // MARK: Answering

    /// - Returns: whether there was room; ``leave()`` is to be called then.
    func enter() -> Bool {
        if admitted.add(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    func leave() { admitted.subtract(1, ordering: .relaxed) }
}

/// Answers the first request of a connection beyond the most with 503, and closes it.
final class Crowding: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The lifetime of such a connection, so that it gives way to the next.
    private static let longest = TimeAmount.seconds(2)
    /// The time that its client has to take the answer.
    private static let grace = TimeAmount.milliseconds(200)
    private static let retryAfter = 5

    private let gate: ConnectionGate
    private let recorder: RequestRecorder
    private var isAdmitted = false
    private var isAnswered = false
    private var end: Scheduled<Void>?

    init(gate: ConnectionGate, recorder: RequestRecorder) {
        self.gate = gate
        self.recorder = recorder
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isAdmitted = gate.enter()
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    /// Its time begins once it is read from: a busy server may take long to get there, and a request that has come is
    /// answered then.
    private func begin(_ context: ChannelHandlerContext) {
        if !isAdmitted && end == nil { close(context.channel, in: Self.longest) }
    }

    private func close(_ channel: any Channel, in time: TimeAmount) {
        end?.cancel()
        end = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isAdmitted { gate.leave() }
        end?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isAdmitted { return context.fireChannelRead(data) }
        // What else such a connection sends is read and dropped: were it left, closing would take the answer along.
        guard !isAnswered, case .head(let request) = unwrapInboundIn(data) else { return }
        isAnswered = true
        refuse(request, context)
    }

    private func refuse(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        let error = ServerError(
            .tryAgainLater, "\(gate.most) connections are open, the most there may be (connections)",
            .limit(gate.most, "connections"),
            retryAfter: Self.retryAfter)
        let trace = RequestTrace()
        trace.refuse(error)
        recorder.note(trace, request, nil, address: nil, status: error.code.status, bytesOut: nil)
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("uuid", trace.id)
            $0.member("serverErrorCode", error.code.rawValue)
            $0.member("reason", error.reason)
            $0.member("retryAfter", Int64(Self.retryAfter))
        }
        var head = HTTPResponse(
            status: error.code.status,
            headerFields: [
                .contentType: "application/json; charset=UTF-8", .contentLength: String(writer.bytes.count),
                .retryAfter: String(Self.retryAfter), .connection: "close",
                .accessControlAllowOrigin: request.headerFields[.origin] ?? "*",
            ])
        if request.method == .head { head.headerFields[.contentLength] = "0" }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .head {
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: writer.bytes))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
        }
        close(channel, in: Self.grace)
    }
}
