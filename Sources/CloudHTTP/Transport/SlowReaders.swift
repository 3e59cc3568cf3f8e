import NIOCore
import NIOHTTP2

/// Ends an HTTP/2 stream whose client takes no bytes of its answer.
///
/// ``ReadingSpeed`` and the system's timeout watch whole connections. They do not notice closed stream windows, behind
/// which the server sends nothing.
final class SlowReaders: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// Bytes of an answer that a client has to take within `time`.
    private static let piece = 16 << 10

    private let time: TimeAmount
    private let lifetime: HTTP2Lifetime
    private let speed: ReadingSpeed
    private var waiting = 0
    private var taken = 0
    /// The value of ``ReadingSpeed/handedOver`` when the last piece was taken.
    private var mark: UInt64 = 0
    private var timer: Scheduled<Void>?

    /// - Parameter time: the longest time in which a client may take nothing.
    init(time: TimeAmount, lifetime: HTTP2Lifetime, speed: ReadingSpeed) {
        self.time = time
        self.lifetime = lifetime
        self.speed = speed
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .data(let payload) = unwrapOutboundIn(data), case .byteBuffer(var bytes) = payload.data,
            bytes.readableBytes > 0
        else { return context.write(data, promise: promise) }
        while bytes.readableBytes > Self.piece, let piece = bytes.readSlice(length: Self.piece) {
            write(HTTP2Frame.FramePayload.Data(data: .byteBuffer(piece)), context, nil)
        }
        write(HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: payload.endStream), context, promise)
    }

    private func write(
        _ data: HTTP2Frame.FramePayload.Data, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let count = data.data.readableBytes
        let sent = promise ?? context.eventLoop.makePromise()
        waiting += count
        sent.futureResult.assumeIsolated().whenComplete { [self] result in
            waiting -= count
            guard case .success = result else { return }
            taken += count
            mark = speed.handedOver
            lifetime.noteProgress()
        }
        context.write(wrapOutboundOut(.data(data)), promise: sent)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Most clients take an answer at once; the server then starts no timer.
        if waiting > 0, timer == nil { watch(context.channel) }
    }

    private func watch(_ stream: any Channel) {
        let (before, acknowledged) = (taken, speed.acknowledged)
        timer = stream.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            timer = nil
            guard waiting > 0 else { return }
            // The system may hold bytes of the stream for which a slow client needs longer.
            if taken > before || speed.isDelivering(until: mark, since: acknowledged) { return watch(stream) }
            lifetime.end(stuck: stream)
        }
    }
}
