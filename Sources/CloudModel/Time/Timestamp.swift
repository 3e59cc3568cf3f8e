/// A moment in whole milliseconds since 1970-01-01Z, as on the wire.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package static let min = Timestamp(milliseconds: .min)
    package static let max = Timestamp(milliseconds: .max)

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Seconds since 1970-01-01Z, rounded to milliseconds and saturated; NaN gives 1970.
    package init(seconds: Double) {
        let milliseconds = (seconds * 1000).rounded()
        self.init(
            milliseconds: milliseconds.isNaN
                ? 0 : Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// Seconds since 1970-01-01Z, with a fraction.
    package var seconds: Double { Double(milliseconds) / 1000 }

    /// Whole seconds since 1970-01-01Z; saturates at the first or last timestamp.
    package init(wholeSeconds: Int64) {
        let (milliseconds, isOutOfReach) = wholeSeconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: isOutOfReach ? (wholeSeconds < 0 ? .min : .max) : milliseconds)
    }

    /// Whole seconds since 1970-01-01Z, rounded down.
    package var wholeSeconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private init(_ sinceEpoch: Duration) {
        let duration = Swift.min(Swift.max(sinceEpoch, .milliseconds(Int64.min)), .milliseconds(Int64.max))
        let (seconds, attoseconds) = duration.components
        let (fraction, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        milliseconds = seconds * 1000 + fraction - (rest < 0 ? 1 : 0)
    }

    private static let span = Duration.milliseconds(Int64.max) - .milliseconds(Int64.min)

    /// Adds a duration, truncated to milliseconds; saturates at the first or last timestamp.
    package static func + (moment: Timestamp, time: Duration) -> Timestamp {
        if time == .zero { return moment }
        return Timestamp(.milliseconds(moment.milliseconds) + Swift.min(Swift.max(time, .zero - span), span))
    }

    /// Subtracts a duration, truncated to milliseconds; saturates at the first or last timestamp.
    package static func - (moment: Timestamp, time: Duration) -> Timestamp {
        Timestamp(.milliseconds(moment.milliseconds) - Swift.min(Swift.max(time, .zero - span), span))
    }

    /// The time from `earlier` to `later`.
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (milliseconds, isTooLong) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        if !isTooLong { return .milliseconds(milliseconds) }
        return .milliseconds(later.milliseconds) - .milliseconds(earlier.milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
