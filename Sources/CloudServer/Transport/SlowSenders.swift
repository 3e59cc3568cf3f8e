import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Ends connections whose request takes too long to arrive, so that slow senders cannot hold them all, nor keep a
/// server that is stopping from stopping, as slow readers do not either.
///
/// The bytes of an asset may take longer, as long as they keep coming. A body in pieces of a few bytes takes a multiple of
/// the processor time of others, and is refused.
final class SlowSenders: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// The time left for a request that is still arriving once the server stops.
    private static let grace = TimeAmount.seconds(4)
    /// The time left for an answer once the server stops: less than containers get before they are killed.
    private static let readingGrace = TimeAmount.seconds(8)
    /// Bytes of an asset that have to come in the time another request has for all of it.
    private static let leastProgress = 16 << 10

    /// Pieces that a body may come in, however small they are, and the bytes that more of them need to have each.
    private static let (mostPieces, leastPiece) = (10_000, 32)

    private let longest: TimeAmount
    private let longestUpload: TimeAmount
    private var isReceiving = false
    private var isStopping = false
    private var deadline: Scheduled<Void>?
    /// The number of times the deadline may still be put off, and the bytes that have come since it was set.
    private var extensions = 0
    private var progress = 0
    private var pieces = (count: 0, bytes: 0)
    /// True once a body came in too many pieces; nothing more is passed on.
    private var isRefused = false

    init(longest: TimeAmount, longestUpload: TimeAmount) {
        self.longest = longest
        self.longestUpload = longestUpload
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            isReceiving = true
            pieces = (0, 0)
            extensions =
                UploadRoute.takes(request) ? Int(longestUpload.nanoseconds / max(1, longest.nanoseconds)) - 1 : 0
            progress = 0
        case .body(let bytes):
            progress += bytes.readableBytes
            pieces = (pieces.count + 1, pieces.bytes + bytes.readableBytes)
            if pieces.count > Self.mostPieces, pieces.bytes < pieces.count * Self.leastPiece {
                isRefused = true
                return context.fireErrorCaught(HTTPParserError.invalidChunkSize)
            }
        case .end:
            isReceiving = false
            deadline?.cancel()
            deadline = nil
            if isStopping { schedule(context.channel, in: Self.readingGrace) }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive whole, and cost no timer.
        if isReceiving && deadline == nil { schedule(context.channel, in: longest) }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isStopping = true
            deadline?.cancel()
            extensions = 0
            schedule(context.channel, in: isReceiving ? min(Self.grace, longest) : Self.readingGrace)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }

    private func schedule(_ channel: any Channel, in time: TimeAmount) {
        deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { self.due(channel) }
    }

    private func due(_ channel: any Channel) {
        guard extensions > 0, progress >= Self.leastProgress else { return channel.close(promise: nil) }
        extensions -= 1
        progress = 0
        schedule(channel, in: longest)
    }
}
