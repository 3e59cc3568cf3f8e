import CloudModel
import Foundation
import Testing

struct TimestampTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test(
        "Adding a duration to a timestamp is clamped at the last one",
        arguments: [
            (1_700_000_000_000, Duration.seconds(60), 1_700_000_060_000), (5, .milliseconds(-7), -2),
            (5, .microseconds(1999), 6), (0, .microseconds(-1), -1), (5, .zero, 5),
            (.max, .milliseconds(1), .max), (.min, .milliseconds(-1), .min), (.max, .milliseconds(-1), .max - 1),
            (.min, .milliseconds(Int64.max), -1), (.max, .milliseconds(Int64.min), -1),
            (.min, .seconds(Int64.max), .max), (.max, .seconds(Int64.min), .min),
            (0, .seconds(Int64.max) * 18, .max), (0, .seconds(Int64.max) * -18, .min),
        ] as [(Int64, Duration, Int64)])
    func addition(start: Int64, time: Duration, end: Int64) { #expect(at(start) + time == at(end)) }

    @Test(
        "Subtracting a duration from a timestamp is clamped at the first one",
        arguments: [
            (1_700_000_060_000, Duration.seconds(60), 1_700_000_000_000), (5, .milliseconds(7), -2),
            (5, .microseconds(1), 4), (.min, .milliseconds(1), .min), (.max, .milliseconds(-1), .max),
            (0, .milliseconds(Int64.min), .max), (.max, .seconds(Int64.max), .min), (.min, .seconds(Int64.min), .max),
        ] as [(Int64, Duration, Int64)])
    func subtraction(start: Int64, time: Duration, end: Int64) { #expect(at(start) - time == at(end)) }

    @Test("The duration between two timestamps is exact") func difference() {
        #expect(at(1_700_000_000_500) - at(1_700_000_000_000) == .milliseconds(500))
        #expect(at(1) - at(3) == .milliseconds(-2))
        #expect(Timestamp.min + (Timestamp.max - .min) == .max)
        #expect(Timestamp.max + (Timestamp.min - .max) == .min)
    }

    @Test("Timestamps are ordered by time") func order() {
        #expect([at(3), .max, at(-1), .min].sorted() == [.min, at(-1), at(3), .max])
    }

    /// The columns of accounts have seconds with a fraction, and must give back what was written.
    @Test("A timestamp turned into seconds and back is the same") func secondsRoundTrip() {
        for milliseconds in Int64(1_700_000_000_000)..<1_700_000_002_000 {
            #expect(Timestamp(seconds: at(milliseconds).seconds) == at(milliseconds))
        }
        #expect(Timestamp(seconds: 1_700_000_000.1234567) == at(1_700_000_000_123))
    }

    @Test(
        "Seconds out of range become the first or last timestamp",
        arguments: [
            (Double.infinity, Timestamp.max), (-.infinity, .min), (1e300, .max), (-1e300, .min),
            (.nan, Timestamp(milliseconds: 0)),
        ])
    func secondsClamped(seconds: Double, moment: Timestamp) {
        #expect(Timestamp(seconds: seconds) == moment)
    }

    @Test(
        "Whole seconds of a timestamp are rounded down",
        arguments: [(0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (.min, -9_223_372_036_854_776)])
    func wholeSeconds(milliseconds: Int64, seconds: Int64) {
        #expect(at(milliseconds).wholeSeconds == seconds)
    }

    @Test(
        "Whole seconds out of range become the first or last timestamp",
        arguments: [(0, 0), (1, 1000), (-2, -2000), (.max, .max), (.min, .min)] as [(Int64, Int64)])
    func wholeSecondsClamped(seconds: Int64, milliseconds: Int64) {
        #expect(Timestamp(wholeSeconds: seconds) == at(milliseconds))
    }

    @Test("A timestamp turned into a date and back is the same") func dateRoundTrip() {
        let moment = at(1_700_000_000_123)
        #expect(Timestamp(moment.date) == moment)
        #expect(Timestamp(Date(timeIntervalSince1970: 1_700_000_000)) == at(1_700_000_000_000))
    }

    @Test("The system's time source gives the present") func systemTime() {
        let before = Date()
        let now = Timestamp.now()
        #expect(now >= Timestamp(before) - .milliseconds(1) && now <= Timestamp(Date()))
    }
}
