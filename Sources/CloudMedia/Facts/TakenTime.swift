package import CloudModel

/// When a picture was taken.
package struct TakenTime: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        case exif, xmp, quickTime
        /// The creation time in a video's header, which is UTC.
        case movieHeader
    }

    package enum Zone: Hashable, Sendable {
        /// Minutes east of UTC.
        case offset(Int)
        /// The clock's digits are known, the moment is not.
        case unknown
        /// The moment is known, the clock's digits are not: `clock` is UTC.
        case utcOnly
    }

    /// The digits of the clock at that place, as if they were UTC.
    package let clock: Timestamp
    package internal(set) var zone: Zone
    package let source: Source

    package init(clock: Timestamp, zone: Zone, source: Source) {
        self.clock = clock
        self.zone = zone
        self.source = source
    }

    /// Nil without a known zone.
    package var moment: Timestamp? {
        switch zone {
        case .offset(let minutes): clock - .seconds(minutes * 60)
        case .utcOnly: clock
        case .unknown: nil
        }
    }
}

/// Date and time in the notations of EXIF (`2026:06:14 23:30:00`) and ISO 8601 (`2026-06-14T23:30:00.5+09:00`).
struct ClockText {
    let clock: Timestamp
    /// Minutes east of UTC, if the text has an offset.
    let offset: Int?

    init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8.prefix(64))[...]
        guard let year = Self.number(&rest, 4), Self.drop(&rest, ":-"), let month = Self.number(&rest, 2),
            Self.drop(&rest, ":-"), let day = Self.number(&rest, 2), Self.drop(&rest, " T"),
            let hour = Self.number(&rest, 2), Self.drop(&rest, ":"), let minute = Self.number(&rest, 2)
        else { return nil }
        let second = Self.drop(&rest, ":") ? Self.number(&rest, 2) : 0
        guard let second, (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(of: month, in: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let milliseconds = Self.fraction(&rest)
        let days = Self.daysSinceEpoch(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + min(second, 59)
        clock = Timestamp(milliseconds: Int64(seconds * 1000 + milliseconds))
        offset = Self.offset(rest)
    }

    /// Minutes of `+09:00`, `+0900`, `-05` or `Z`.
    static func offset(_ text: some Collection<UInt8>) -> Int? {
        var rest = Array(text.prefix(16))[...]
        if rest.first == UInt8(ascii: "Z") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard drop(&rest, "+-"), let hours = number(&rest, 2), hours <= 14 else { return nil }
        _ = drop(&rest, ":")
        let minutes = number(&rest, 2) ?? 0
        guard minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func drop(_ rest: inout ArraySlice<UInt8>, _ any: String) -> Bool {
        guard let first = rest.first, any.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ digits: Int) -> Int? {
        let part = rest.prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Milliseconds of `.5`.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int {
        guard drop(&rest, ".") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return milliseconds(digits)
    }

    /// The first three digits after a decimal point, as milliseconds.
    static func milliseconds(_ digits: some Sequence<UInt8>) -> Int {
        let first = digits.prefix { (0x30...0x39).contains($0) }.prefix(3)
        return (0..<3).reduce(0) { $0 * 10 + ($1 < first.count ? Int(first[$1 + first.startIndex] - 0x30) : 0) }
    }

    private static func days(of month: Int, in year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (years / 400, years % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
