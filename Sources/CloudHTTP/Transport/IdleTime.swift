import NIOCore

/// Closes an HTTP/1.1 connection after a time without input, and an idle connection when the server stops.
///
/// State: touched on the connection's event loop only.
final class IdleTime {
    private let longest: TimeAmount
    private var requests = 0
    private var isReceiving = false
    private var isStopping = false
    private var lastActive = NIODeadline.now()
    /// True if the current read was answered already; ``noteRead()`` then reuses the answer's timestamp.
    private var isJustAnswered = false
    private var timer: Scheduled<Void>?

    /// - Parameter longest: the longest time without input.
    init(longest: TimeAmount) { self.longest = longest }

    func noteHead() {
        isReceiving = true
        requests += 1
    }

    func noteEnd() { isReceiving = false }

    /// Called once per read, however many bytes arrived.
    func noteRead() {
        if isJustAnswered { isJustAnswered = false } else { lastActive = .now() }
    }

    /// - Parameter isReading: true if ``noteRead()`` follows in the same turn of the loop.
    /// - Returns: true if the server is stopping and no request is unanswered: close the connection.
    func noteAnswer(_ channel: any Channel, isReading: Bool) -> Bool {
        requests -= 1
        guard requests == 0 else { return false }
        if isStopping { return true }
        lastActive = .now()
        isJustAnswered = isReading
        watch(channel)
        return false
    }

    /// - Returns: true if the connection is idle: close immediately.
    func stop() -> Bool {
        isStopping = requests > 0
        return !isStopping
    }

    /// One timer serves all requests of a connection: it compares the last activity with the limit.
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
        // The request is complete; its answer has no time limit.
        if !isReceiving, requests > 0 { return }
        if .now() >= lastActive + longest { return channel.close(promise: nil) }
        schedule(channel, at: lastActive + longest)
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
