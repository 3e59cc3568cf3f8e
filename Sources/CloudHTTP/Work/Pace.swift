/// Yields the thread to other requests during a long loop.
///
/// A store read that finds a free connection never suspends: hundreds in a row would hold a thread of the cooperative
/// pool until the last.
package struct Pace {
    private static let longest = Duration.milliseconds(10)

    private var begun = ContinuousClock.now

    package init() {}

    /// Yields if the thread has been held for over 10 ms.
    package mutating func rest() async {
        guard begun.duration(to: .now) > Self.longest else { return }
        await Task.yield()
        begun = .now
    }
}
