import NIOCore
import NIOHTTP2

/// Closes an HTTP/2 connection: after an error, when idle, after a half-close, when the client stops reading, and at
/// shutdown.
///
/// State: touched on the connection's event loop only.
final class HTTP2Lifetime: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    struct Times {
        /// The time limit for the client's SETTINGS frame.
        var handshake: TimeAmount
        /// The time limit without a stream.
        var idle: TimeAmount
        /// The time limit for a client that reads nothing.
        var reading: TimeAmount
        /// The time limit for pending answers of a closing connection.
        var grace = TimeAmount.seconds(8)
        /// The client's time to read the last frame.
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
    /// True once the close is final.
    private var isEnding = false
    /// The deadline of a closing connection.
    private var end = NIODeadline.distantFuture
    private var deadline: Scheduled<Void>?
    private var progress = NIODeadline.now()

    /// - Parameter inbound: discards input after an error.
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
        // The client sent this request before it saw the GOAWAY frame.
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

    /// Records that the client reads.
    func noteProgress() { progress = .now() }

    /// Closes a stuck stream, or the whole connection if no stream makes progress.
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
        // A stream error, unless a GOAWAY frame was sent; these phases send no GOAWAY frame.
        if phase == .opening || phase == .closing { fail() }
    }

    /// Sends pending answers within the current windows: a half-closed client cannot enlarge them.
    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = true
        guard phase == .open, streams > 0 else { return closeIn(.zero) }
        closeIn(times.reading)
        // A disconnected client replies to the ping with a reset.
        context.writeAndFlush(
            wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: .ping(.init(withInteger: 0), ack: false))),
            promise: nil)
    }

    // MARK: Ending

    /// Closes after a connection error, for which NIO has sent GOAWAY.
    func fail() {
        guard phase != .failed else { return }
        phase = .failed
        inbound.drop()
        // An immediate close with unread input would discard the GOAWAY frame.
        closeIn(isInputClosed ? .zero : times.linger)
    }

    /// Closes gracefully (RFC 9113 §6.8): GOAWAY without a limit and a ping first, then GOAWAY with the last stream's ID.
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

    /// Closes after the write buffer is empty, plus the client's reading time.
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
