import Foundation

/// The time that is left to wait for a socket.
///
/// Only time in which this process runs counts: after a pause of the whole machine, an answer that came meanwhile is read.
struct SocketWait {
    private var left: Duration

    /// True if the time is used up.
    var isOver: Bool { left <= .zero }

    init(_ time: Duration) { left = time }

    /// Waits for an event for at most `slice`.
    ///
    /// - Returns: what `poll` gave; 0 if nothing came.
    mutating func poll(_ descriptor: inout pollfd, slice: Duration) -> Int32 {
        let (slice, begin) = (max(.zero, min(slice, left)), ContinuousClock.now)
        defer { left -= min(begin.duration(to: .now), slice) }
        return Foundation.poll(&descriptor, 1, slice.pollTime)
    }
}

extension Duration {
    /// The duration for `poll`, in whole milliseconds, at least 1.
    var pollTime: Int32 { Int32(clamping: Int64(self / .milliseconds(1)) + 1) }
}
