import CLinux
package import NIOCore

/// Closes a connection whose client reads slower than the minimum speed.
///
/// Measures acknowledged bytes: the system buffers megabytes at once, and then nothing until a slow client has read
/// them. Suspends the system's timeout (``ConnectionPlace/endUnread(_:after:)``) meanwhile, which would also close
/// clients that read in small steps. State: touched on the connection's event loop only.
package final class ReadingSpeed: ChannelOutboundHandler {
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    /// `TCP_INFO` of Linux.
    private static let info = NIOBSDSocket.Option(rawValue: 11)
    /// Size of a flush that starts the watch, even if the system has buffered all its bytes.
    private static let large: UInt64 = 64 << 10

    private let time: Duration
    /// Bytes that the client must take per `time`.
    private let least: UInt64
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// Bytes written so far, including bytes buffered in NIO.
    private(set) var handedOver: UInt64 = 0
    private var flushed: UInt64 = 0

    /// - Parameters:
    ///   - speed: bytes per second; 0 for no minimum.
    ///   - time: the averaging period.
    package init(least speed: Int, over time: Duration) {
        self.time = time
        least = UInt64(max(1, Double(speed) * (time / .seconds(1))))
    }

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        handedOver += UInt64(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        // Nothing was written since the last flush, which has looked.
        if handedOver == flushed { return }
        let isLarge = handedOver - flushed >= Self.large
        flushed = handedOver
        // Most answers are small, leave at once and start no timer.
        guard timer == nil, isLarge || waiting > 0 else { return }
        ConnectionPlace.endUnread(context.channel, after: .zero)
        watch()
    }

    private func watch() {
        guard let context else { return }
        let begun = progress
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in
            timer = nil
            guard let context = self.context else { return }
            switch Self.pace(from: begun, to: progress, least: least) {
            case .taken: ConnectionPlace.endUnread(context.channel, after: time)
            case .fast: watch()
            case .slow: end()
            }
        }
    }

    /// Byte counts of a connection at one moment.
    package struct Progress {
        var handedOver: UInt64
        /// Written bytes that NIO still buffers.
        package var waiting: UInt64
        /// 0 if the system does not report acknowledgements.
        var acknowledged: UInt64

        /// Bytes acknowledged by the client, or else bytes taken by the system.
        fileprivate var taken: UInt64 { acknowledged == 0 ? handedOver - waiting : acknowledged }
    }

    package enum Pace { case taken, fast, slow }

    /// The client's pace between two moments: fast after `least` bytes, or after all bytes written by `begun`.
    package static func pace(from begun: Progress, to now: Progress, least: UInt64) -> Pace {
        if now.waiting == 0, now.taken >= now.handedOver { return .taken }
        if now.taken >= begun.handedOver { return .fast }
        let systemTook = (now.handedOver - now.waiting) - (begun.handedOver - begun.waiting)
        return max(now.taken - min(begun.taken, now.taken), systemTook) >= least ? .fast : .slow
    }

    private var progress: Progress {
        Progress(handedOver: handedOver, waiting: waiting, acknowledged: acknowledged)
    }

    /// Bytes that NIO still buffers.
    private var waiting: UInt64 {
        UInt64((try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    /// Bytes acknowledged by the client; 0 on systems without such counts.
    var acknowledged: UInt64 {
        guard let socket = context?.channel as? any SocketOptionProvider else { return 0 }
        var bytes: UInt64 = 0
        let info: EventLoopFuture<clinux_tcp_info> = socket.unsafeGetSocketOption(level: .tcp, name: Self.info)
        // The future is already complete on the event loop.
        info.assumeIsolated().whenSuccess { bytes = $0.bytes_acked }
        return bytes
    }

    /// True if the client is still reading bytes sent before `mark`, at the minimum speed or faster.
    ///
    /// - Parameters:
    ///   - mark: an earlier value of ``handedOver``.
    ///   - before: the value of ``acknowledged`` at the start of the period.
    func isDelivering(until mark: UInt64, since before: UInt64) -> Bool {
        let now = max(acknowledged, before)
        return now < mark && now - before >= least
    }

    /// Resets the connection; the system discards its unsent bytes.
    private func end() {
        guard let context else { return }
        if let socket = context.channel as? any SocketOptionProvider {
            _ = socket.unsafeSetSocketOption(level: .socket, name: .so_linger, value: NoLinger())
        }
        context.close(promise: nil)
    }
}

/// `struct linger` for `SO_LINGER`: closing then resets the connection.
private struct NoLinger: Sendable {
    let isOn: Int32 = 1
    let seconds: Int32 = 0
}
