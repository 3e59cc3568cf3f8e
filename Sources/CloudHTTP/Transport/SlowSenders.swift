import NIOCore

/// Closes a connection whose request arrives too slowly, so that slow clients can neither occupy all connections nor
/// delay shutdown.
///
/// Asset uploads may take longer while they make progress. A body in pieces of a few bytes costs a multiple of the
/// processor time, and is refused. State: touched on the connection's event loop only.
final class SlowSenders {
    /// Time limit for an arriving request once the server stops.
    private static let grace = TimeAmount.seconds(4)
    /// Time limit for writing an answer once the server stops: shorter than the grace period of container runtimes.
    private static let readingGrace = TimeAmount.seconds(8)
    /// Upload bytes that must arrive in each `longest` for an extension.
    private static let leastProgress = 16 << 10

    /// Pieces that any body may have; with more, pieces must average at least `leastPiece` bytes.
    private static let (mostPieces, leastPiece) = (10_000, 32)

    private let longest: TimeAmount
    private let longestUpload: TimeAmount
    private var isReceiving = false
    private var isStopping = false
    private var deadline: Scheduled<Void>?
    /// Remaining extensions of the deadline, and bytes received since it was set.
    private var extensions = 0
    private var progress = 0
    private var pieces = (count: 0, bytes: 0)
    /// True after a body with too many pieces; reading stops.
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

    /// - Returns: false if the body has too many pieces.
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

    /// Most requests arrive in one read and start no timer.
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
