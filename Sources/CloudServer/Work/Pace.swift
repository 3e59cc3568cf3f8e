/// Gives the thread to other requests now and then, between the steps of a long one.
///
/// A read of the store that finds a connection free never suspends, so that hundreds of them in a row would hold a
/// thread of the cooperative pool until the last.
struct Pace {
    private static let longest = Duration.milliseconds(10)

    private var begun = ContinuousClock.now

    /// Lets others run, if the thread has been held for long.
    mutating func rest() async {
        guard begun.duration(to: .now) > Self.longest else { return }
        await Task.yield()
        begun = .now
    }
}
