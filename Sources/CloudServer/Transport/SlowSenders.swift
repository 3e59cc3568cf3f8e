import NIOCore

/// Ends a connection whose request takes too long to arrive, so that slow senders cannot hold them all, nor keep a
/// server that is stopping from stopping, as slow readers do not either.
///
/// The bytes of an asset may take longer, as long as they keep coming. A body in pieces of a few bytes takes a multiple of
/// the processor time of others, and is refused. State: touched on the connection's event loop only.
final class SlowSenders {
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
    /// True once a body came in too many pieces; nothing more is taken.
    private(set) var isRefused = false

    init(longest: TimeAmount, longestUpload: TimeAmount) {
        self.longest = longest
        self.longestUpload = longestUpload
    }

    func noteHead(_ request: HTTPRequest) {
        isReceiving = true
        pieces = (0, 0)
        extensions = UploadRoute.takes(request) ? Int(longestUpload.nanoseconds / max(1, longest.nanoseconds)) - 1 : 0
        progress = 0
    }

    /// - Returns: false for a body in too many pieces.
    func noteBody(_ bytes: Int) -> Bool {
        progress += bytes
        pieces = (pieces.count + 1, pieces.bytes + bytes)
        isRefused = pieces.count > Self.mostPieces && pieces.bytes < pieces.count * Self.leastPiece
        return !isRefused
    }

    func noteEnd(_ channel: any Channel) {
        isReceiving = false
        deadline?.cancel()
        deadline = nil
        if isStopping { schedule(channel, in: Self.readingGrace) }
    }

    /// Most requests arrive whole, and cost no timer.
    func noteReadComplete(_ channel: any Channel) {
        if isReceiving && deadline == nil { schedule(channel, in: longest) }
    }

    func stop(_ channel: any Channel) {
        isStopping = true
        deadline?.cancel()
        extensions = 0
        schedule(channel, in: isReceiving ? min(Self.grace, longest) : Self.readingGrace)
    }

    func cancel() {
        deadline?.cancel()
        deadline = nil
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
