import NIOCore

/// Ends a connection of HTTP/1.1 that has had no request for a while, or that waits for the rest of one, and one without a
/// request when the server stops. State: touched on the connection's event loop only.
final class IdleTime {
    private let longest: TimeAmount
    private var requests = 0
    private var isReceiving = false
    private var isStopping = false
    private var lastActive = NIODeadline.now()
    /// Whether an answer was written while its request was read: one look at the clock is enough for both.
    private var isJustAnswered = false
    private var timer: Scheduled<Void>?

    /// - Parameter longest: the time without a byte of a request.
    init(longest: TimeAmount) { self.longest = longest }

    func noteHead() {
        isReceiving = true
        requests += 1
    }

    func noteEnd() { isReceiving = false }

    /// Notes that bytes of a request have come, all of one read at once.
    func noteRead() {
        if isJustAnswered { isJustAnswered = false } else { lastActive = .now() }
    }

    /// - Parameter isReading: whether ``noteRead()`` follows in the same turn of the loop.
    /// - Returns: true where the connection is to close, since the server stops and all is answered.
    func noteAnswer(_ channel: any Channel, isReading: Bool) -> Bool {
        requests -= 1
        guard requests == 0 else { return false }
        if isStopping { return true }
        lastActive = .now()
        isJustAnswered = isReading
        watch(channel)
        return false
    }

    /// - Returns: true where the connection is to close at once.
    func stop() -> Bool {
        isStopping = requests > 0
        return !isStopping
    }

    /// One timer serves all of a connection's requests: it looks how long ago the last one was.
    func watch(_ channel: any Channel) {
        guard timer == nil, channel.isActive else { return }
        schedule(channel, at: lastActive + longest)
    }

    private func schedule(_ channel: any Channel, at time: NIODeadline) {
        timer = channel.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.due(channel) }
    }

    private func due(_ channel: any Channel) {
        timer = nil
        guard channel.isActive else { return }
        // The request is there, and its answer takes the time it takes.
        if !isReceiving, requests > 0 { return }
        if .now() >= lastActive + longest { return channel.close(promise: nil) }
        schedule(channel, at: lastActive + longest)
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
