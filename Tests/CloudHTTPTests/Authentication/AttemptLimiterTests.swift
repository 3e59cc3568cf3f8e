@testable import CloudHTTP
import CloudModel
import Foundation
import Synchronization
import Testing

struct AttemptLimiterTests {
    /// Seconds that pass before an attempt, and what it is told: nil to go ahead, else how long to wait.
    @Test(
        "Used-up attempts are restored one by one over time",
        arguments: [
            ([0, 0, 0, 0], [nil, nil, nil, 20]), ([0, 0, 0, 19, 1], [nil, nil, nil, 1, nil]),
            ([0, 0, 0, 20, 0], [nil, nil, nil, nil, 20]),
            ([0, 0, 0, 60, 0, 0, 0], [nil, nil, nil, nil, nil, nil, 20]),
            ([0, 20, 20, 20, 20], [nil, nil, nil, nil, nil]), ([0, 0, 0, 10, 5], [nil, nil, nil, 10, 5]),
        ] as [([Double], [Int?])])
    func recovery(pauses: [Double], expected: [Int?]) {
        let time = Mutex(Timestamp(milliseconds: 0))
        let limiter = AttemptLimiter(attempts: 3, window: .seconds(60)) { time.withLock(\.self) }
        let answers = pauses.map { pause in
            time.withLock { $0 = $0 + .seconds(pause) }
            return limiter.take("a")
        }
        #expect(answers == expected)
    }

    @Test("Each key has attempts of its own") func separateKeys() {
        let limiter = AttemptLimiter(attempts: 1, window: .seconds(60)) { Timestamp(milliseconds: 0) }
        #expect(limiter.take("a") == nil)
        #expect(limiter.take("a") == 60)
        #expect(limiter.take("b") == nil)
    }

    @Test("A successful attempt is given back") func success() {
        let limiter = AttemptLimiter(attempts: 2, window: .seconds(60)) { Timestamp(milliseconds: 0) }
        for _ in 0..<10 {
            #expect(limiter.take("a") == nil)
            limiter.giveBack("a")
        }
        #expect(limiter.take("a") == nil)
        #expect(limiter.take("a") == nil)
        #expect(limiter.take("a") != nil)
    }

    @Test("When a subject's attempts are used up, a bounded number of networks have one first attempt each")
    func networks() {
        let limiter = SubjectLimiter(attempts: 2, firsts: 3, window: .seconds(60)) { Timestamp(milliseconds: 0) }
        #expect((0..<3).map { _ in limiter.take("s", from: "a") == nil } == [true, true, false])
        #expect((0..<2).map { _ in limiter.take("s", from: "b") == nil } == [true, false])
        limiter.giveBack("s", from: "b")
        #expect(limiter.take("s", from: "b") == nil)
        #expect(["c", "d", "e"].map { limiter.take("s", from: $0) == nil } == [true, true, false])
        #expect(limiter.take("other", from: "a") == nil)
        let strict = SubjectLimiter(attempts: 1, firsts: 0, window: .seconds(60)) { Timestamp(milliseconds: 0) }
        #expect(strict.take("s", from: "a") == nil)
        #expect(strict.take("s", from: "b") == 60)
    }

    @Test("A flood of other keys does not reset a key that has to wait")
    func flood() {
        let limiter = AttemptLimiter(attempts: 3, window: .seconds(60), capacity: 8) { Timestamp(milliseconds: 0) }
        for _ in 0..<3 { #expect(limiter.take("guesser") == nil) }
        for number in 0..<100 { #expect(limiter.take("\(number)") == nil) }
        #expect(limiter.take("guesser") != nil)
    }
}
