import CloudMedia
import CloudModel
import CloudStore

/// Where a record stands on a page in order of time: under the day of its own clock, and there by the moment.
///
/// Days go first, so that each is one run of the page, also if pictures come from several zones.
struct Standing: Hashable, Comparable, Sendable {
    /// Days since 1970 by the clock at that place.
    let day: Int
    /// Milliseconds since 1970.
    let moment: Int64

    /// A time that a file tells. Without a zone its clock counts as UTC.
    private init?(_ facts: FileFacts?) {
        guard let taken = facts?.taken else { return nil }
        self.init(day: Self.day(of: taken.clock), moment: (taken.moment ?? taken.clock).milliseconds)
    }

    /// The creation of a record whose files tell no time.
    init(created: Timestamp) {
        self.init(day: Self.day(of: created), moment: created.milliseconds)
    }

    init(day: Int, moment: Int64) {
        (self.day, self.moment) = (day, moment)
    }

    /// A record stands by the earliest time that its files tell.
    init(_ files: [KeptFile], created: Timestamp) {
        self = files.compactMap { Standing($0.facts) }.min() ?? Standing(created: created)
    }

    private static func day(of clock: Timestamp) -> Int {
        Int((Double(clock.milliseconds) / 86_400_000).rounded(.down))
    }

    static func < (one: Standing, other: Standing) -> Bool {
        (one.day, one.moment) < (other.day, other.moment)
    }
}
