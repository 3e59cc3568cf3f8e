import NIOCore
import NIOHTTP2

/// Ends a connection of HTTP/2: after an error, without requests, once the client sends no more or takes nothing, and
/// when the server stops.
///
/// State: touched on the connection's event loop only.
final class HTTP2Lifetime: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    struct Times {
        /// The time until the client has sent its settings.
        var handshake: TimeAmount
        /// The time without a stream.
        var idle: TimeAmount
        /// The time for which a client may take nothing.
        var reading: TimeAmount
        /// The time that answers have once the connection is closing.
        var grace = TimeAmount.seconds(8)
        /// The time that a client has to read the last frame.
        var linger = TimeAmount.seconds(1)
    }

    private enum Phase { case opening, open, closing, failed }

    private static let lastPing = HTTP2PingData(withInteger: 0x676F_6177_6179)

    private let times: Times
    private let inbound: InboundBytes
    private var context: ChannelHandlerContext?
    private var phase = Phase.opening
    private var streams = 0
    private var lastStream = HTTP2StreamID.rootStream
    private var isInputClosed = false
    /// True once the connection closes whatever else comes.
    private var isEnding = false
    /// The time by which a closing connection ends, whatever still comes.
    private var end = NIODeadline.distantFuture
    private var deadline: Scheduled<Void>?
    private var progress = NIODeadline.now()

    /// - Parameter inbound: drops what comes after an error.
    init(_ times: Times, inbound: InboundBytes) {
        self.times = times
        self.inbound = inbound
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closeIn(times.handshake)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
    }

    // MARK: Streams

    func streamOpened(_ id: HTTP2StreamID) {
        streams += 1
        lastStream = max(lastStream, id)
        if phase == .open, !isInputClosed { deadline?.cancel() }
        // Sent before the client had heard that the connection closes.
        if phase == .closing, !isInputClosed {
            isEnding = false
            closeIn(max(.zero, end - .now()))
        }
    }

    func streamClosed() {
        streams -= 1
        guard streams == 0 else { return }
        switch phase {
        case .open: isInputClosed ? closeIn(.zero) : awaitRequest()
        case .closing: endUnlessEnding()
        case .opening, .failed: break
        }
    }

    /// Notes that the client takes what it is sent.
    func noteProgress() { progress = .now() }

    /// Ends a stream whose client takes nothing of its answer, or the connection where none of its streams gets on.
    func end(stuck stream: any Channel) {
        if .now() - progress < times.reading { return stream.close(promise: nil) }
        context?.close(promise: nil)
    }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings where phase == .opening:
            phase = .open
            if streams == 0 { awaitRequest() }
        case .ping(Self.lastPing, ack: true) where phase == .closing:
            sendGoAway(lastStream, context)
            context.flush()
            if streams == 0 { endUnlessEnding() }
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            close()
        } else if event as? ChannelEvent == .inputClosed {
            inputClosed(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is any NIOHTTP2Error || error is NIOHTTP2Errors.StreamError else {
            return context.close(promise: nil)
        }
        // An error of a stream, unless a GOAWAY frame has told otherwise; here none can be sent any more.
        if phase == .opening || phase == .closing { fail() }
    }

    /// Answers what has come whole, as far as the client's windows let it: it opens them no further.
    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = true
        guard phase == .open, streams > 0 else { return closeIn(.zero) }
        closeIn(times.reading)
        // A client that has gone altogether answers with a reset.
        context.writeAndFlush(
            wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: .ping(.init(withInteger: 0), ack: false))),
            promise: nil)
    }

    // MARK: Ending

    /// Closes the connection after an error, which the client has been told of.
    func fail() {
        guard phase != .failed else { return }
        phase = .failed
        inbound.drop()
        // Closed at once, the connection would take the last frame along with what has come unread.
        closeIn(isInputClosed ? .zero : times.linger)
    }

    /// Closes the connection once its answers are sent: the client is told to send no more requests, and then which
    /// was the last.
    func close() {
        guard phase == .open || phase == .opening, let context else { return }
        phase = .closing
        sendGoAway(.maxID, context)
        context.write(
            wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: .ping(Self.lastPing, ack: false))), promise: nil)
        context.flush()
        end = .now() + times.grace
        closeIn(streams == 0 ? times.linger : times.grace)
    }

    private func sendGoAway(_ last: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let frame = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: frame)), promise: nil)
    }

    private func endUnlessEnding() {
        guard !isEnding else { return }
        isEnding = true
        closeOnceWritten()
    }

    /// Closes the connection once the socket has taken what is written and the client has had the time to read it.
    private func closeOnceWritten() {
        guard let context else { return }
        let left = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        guard let left, left > 0, .now() < end else { return closeIn(times.linger) }
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [self] in
            closeOnceWritten()
        }
    }

    private func awaitRequest() {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: times.idle) { [self] in close() }
    }

    private func closeIn(_ time: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in context?.close(promise: nil) }
    }
}
