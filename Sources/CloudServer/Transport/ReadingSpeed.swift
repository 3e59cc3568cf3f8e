import CLinux
import NIOCore

/// Ends a connection whose client takes what it is sent at less than the least speed, or takes nothing.
///
/// The bytes that the client has acknowledged count: the system takes megabytes at once, and then nothing for as long as
/// a slow client needs for them. The system's own time (``ConnectionPlace/endUnread(_:after:)``) is off meanwhile: it ends
/// clients that take little at a time as if they took nothing. State: touched on the connection's event loop only.
final class ReadingSpeed: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// `TCP_INFO` of Linux.
    private static let info = NIOBSDSocket.Option(rawValue: 11)
    /// Bytes written at once from which a client is watched that the system has taken them all for.
    private static let large: UInt64 = 64 << 10

    private let time: Duration
    /// Bytes that the client has to take within the time.
    private let least: UInt64
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// Bytes that were handed over, with those that still wait here for the system.
    private(set) var handedOver: UInt64 = 0
    private var flushed: UInt64 = 0

    /// - Parameters:
    ///   - speed: bytes a second; 0 for any.
    ///   - time: over which the speed is averaged.
    init(least speed: Int, over time: Duration) {
        self.time = time
        least = UInt64(max(1, Double(speed) * (time / .seconds(1))))
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        handedOver += UInt64(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        let isLarge = handedOver - flushed >= Self.large
        flushed = handedOver
        // Most answers are small and taken at once, and cost no timer.
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

    /// Counts of a connection's bytes at a moment.
    struct Progress {
        var handedOver: UInt64
        /// Bytes of these that the system has not taken.
        var waiting: UInt64
        /// 0 where the system does not tell.
        var acknowledged: UInt64

        /// Bytes that the client has taken; those that the system has, where it does not tell more.
        fileprivate var taken: UInt64 { acknowledged == 0 ? handedOver - waiting : acknowledged }
    }

    enum Pace { case taken, fast, slow }

    /// The pace of a client between two moments: fast if it took the least number of bytes, or all that were there at
    /// the first.
    static func pace(from begun: Progress, to now: Progress, least: UInt64) -> Pace {
        if now.waiting == 0, now.taken >= now.handedOver { return .taken }
        if now.taken >= begun.handedOver { return .fast }
        let systemTook = (now.handedOver - now.waiting) - (begun.handedOver - begun.waiting)
        return max(now.taken - min(begun.taken, now.taken), systemTook) >= least ? .fast : .slow
    }

    private var progress: Progress {
        Progress(handedOver: handedOver, waiting: waiting, acknowledged: acknowledged)
    }

    /// Bytes that the system has not taken yet.
    private var waiting: UInt64 {
        UInt64((try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    /// Bytes that the client has acknowledged; 0 where the system does not tell.
    var acknowledged: UInt64 {
        guard let socket = context?.channel as? any SocketOptionProvider else { return 0 }
        var bytes: UInt64 = 0
        let info: EventLoopFuture<clinux_tcp_info> = socket.unsafeGetSocketOption(level: .tcp, name: Self.info)
        // On the event loop it is there at once.
        info.assumeIsolated().whenSuccess { bytes = $0.bytes_acked }
        return bytes
    }

    /// Whether the client is still taking bytes that were sent before `mark`, at the least speed or faster.
    ///
    /// - Parameters:
    ///   - mark: a value that ``handedOver`` had.
    ///   - before: the value that ``acknowledged`` had at the beginning of the time.
    func isDelivering(until mark: UInt64, since before: UInt64) -> Bool {
        let now = max(acknowledged, before)
        return now < mark && now - before >= least
    }

    /// Ends the connection, and has the system drop what it holds for the client.
    private func end() {
        guard let context else { return }
        if let socket = context.channel as? any SocketOptionProvider {
            _ = socket.unsafeSetSocketOption(level: .socket, name: .so_linger, value: NoLinger())
        }
        context.close(promise: nil)
    }
}

/// The value of `SO_LINGER` with which closing resets a connection, as `struct linger` has it.
private struct NoLinger: Sendable {
    let isOn: Int32 = 1
    let seconds: Int32 = 0
}
