@testable import CloudIdentity
import CloudModel
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KeyFreshnessTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(wholeSeconds: 1_700_000_000 + seconds) }

    @Test("Ten thousand unknown keys cause a fetch a minute")
    func unknownKeys() {
        var freshness = KeyFreshness()
        var fetches = 0
        for number in 0..<10_000 {
            let now = at(Int64(number) * 600 / 10_000)
            guard freshness.mayFetch(isKeyUnknown: true, now: now) else { continue }
            freshness.begin(isKeyUnknown: true, now: now)
            freshness.succeed(cacheControl: nil, now: now)
            fetches += 1
        }
        #expect(fetches == 10)
    }

    @Test("Keys are fetched when they are no longer fresh, and stay good for a day while that fails")
    func age() {
        var freshness = KeyFreshness()
        #expect(freshness.mayFetch(isKeyUnknown: false, now: at(0)) && !freshness.isUsable(now: at(0)))
        freshness.begin(now: at(0))
        freshness.succeed(cacheControl: "max-age=600", now: at(0))
        #expect(!freshness.mayFetch(isKeyUnknown: false, now: at(599)))
        #expect(freshness.mayFetch(isKeyUnknown: false, now: at(600)))
        freshness.begin(now: at(600))
        #expect(!freshness.mayFetch(isKeyUnknown: false, now: at(659)) && freshness.isUsable(now: at(659)))
        #expect(freshness.mayFetch(isKeyUnknown: false, now: at(660)))
        #expect(freshness.isUsable(now: at(86_400)) && !freshness.isUsable(now: at(86_401)))
    }

    @Test("A key that is unknown right after a fetch by age is asked for once")
    func rotation() {
        var freshness = KeyFreshness()
        freshness.begin(now: at(0))
        freshness.succeed(cacheControl: nil, now: at(0))
        #expect(freshness.mayFetch(isKeyUnknown: true, now: at(1)))
        freshness.begin(isKeyUnknown: true, now: at(1))
        freshness.succeed(cacheControl: nil, now: at(1))
        #expect(!freshness.mayFetch(isKeyUnknown: true, now: at(60)))
        #expect(freshness.mayFetch(isKeyUnknown: true, now: at(61)))
    }

    @Test("A clock that was set back holds no fetch up")
    func clock() {
        var freshness = KeyFreshness()
        freshness.begin(now: at(1_000_000))
        freshness.succeed(cacheControl: nil, now: at(1_000_000))
        #expect(freshness.mayFetch(isKeyUnknown: false, now: at(0)))
    }

    @Test("Keys are fresh for as long as the provider says, between five minutes and a day")
    func lifetimes() {
        for (header, lifetime) in [
            (nil, 3600), ("", 3600), ("public, max-age=7200, must-revalidate", 7200), ("MAX-AGE=\"900\"", 900),
            ("max-age=0", 300), ("max-age=-1", 3600), ("max-age=1e9", 3600), ("max-age", 3600), ("max-age=", 3600),
            ("s-maxage=10", 3600), ("max-age=99999999999999999999999", 86_400), ("no-store", 300),
            ("no-cache, max-age=7200", 300),
        ] as [(String?, Int64)] { #expect(KeyFreshness.lifetime(header) == lifetime) }
    }
}
