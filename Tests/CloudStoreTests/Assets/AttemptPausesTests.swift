import CloudModel
import Testing

@testable import CloudStore

struct AttemptPausesTests {
    @Test("Pauses grow with attempts that follow each other, and not with those stopped at once") func lengths() {
        var pauses = AttemptPauses<Int>(of: "the preview")
        var time = Timestamp(milliseconds: 1_700_000_000_000)
        for length in [60, 600, 86_400, 86_400] {
            for _ in 0..<3 { pauses.begin(1, .killed, at: time) }
            #expect(pauses.refusal(1, at: time)?.retryAfter == length)
            #expect(pauses.refusal(2, at: time) == nil)
            time = Timestamp(milliseconds: time.milliseconds + Int64(length) * 1000)
            #expect(pauses.refusal(1, at: time) == nil)
        }
        pauses.end(1)
        pauses.begin(1, .tookTooLong(seconds: 60), at: time)
        #expect(
            pauses.refusal(1, at: time)?.reason
                == "the preview was not made within 60 seconds; it is tried again in 60 seconds")
    }
}
