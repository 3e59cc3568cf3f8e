@testable import CloudHTTP
import TestCloud
import CloudModel
import Testing

@Suite("Counts of the last seven days") struct WeekCountTests {
    @Test(
        "A day's counts last seven days, in whatever order the days arrive",
        arguments: [
            ([], 100, 0), ([100], 100, 1), ([100, 100], 100, 2), ([100], 106, 1), ([100], 107, 0),
            ([100, 106], 106, 2), ([100, 106], 107, 1), ([100, 101, 107], 107, 2), ([100, 120], 120, 1),
            ([100, 120], 130, 0), ([106, 100], 106, 2), ([107, 100], 107, 1), ([120, 100], 120, 1),
            // A clock that was set back.
            ([100], 99, 1),
        ])
    func days(noted: [Int64], today: Int64, sum: Int) {
        var count = WeekCount()
        for day in noted { count.add(on: Self.noon(day)) }
        #expect(count.total(until: Self.noon(today)) == sum)
    }

    private static func noon(_ day: Int64) -> Timestamp { Timestamp(milliseconds: day * 86_400_000 + 43_200_000) }
}
