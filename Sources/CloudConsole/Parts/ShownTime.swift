import CloudPages
import CloudModel
import Foundation
import Mustache

/// A time relative to now, with the full time as a tooltip.
struct ShownTime: PageView, MustacheParent {
    /// `3 min ago`, `in 2 h`, or the date if more than a month away.
    let text: String
    /// `2026-01-31 08:00:00Z`
    let full: String
    /// `2026-01-31T08:00:00Z`
    let machine: String

    init(_ moment: Timestamp, now: Timestamp) {
        full = moment.inFull
        machine = moment.date.formatted(.iso8601)
        text = Self.distance(from: moment, to: now) ?? String(full.prefix(10))
    }

    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "text": text
        case "full": full
        case "machine": machine
        default: nil
        }
    }

    private static let (minute, hour, day) = (Int64(60), Int64(3600), Int64(86400))

    private static func distance(from moment: Timestamp, to now: Timestamp) -> String? {
        let seconds = (now - moment).components.seconds
        let age = abs(seconds)
        let distance: String
        switch age {
        case ..<5: return "now"
        case ..<(2 * minute): distance = "\(age) s"
        case ..<(2 * hour): distance = "\(age / minute) min"
        case ..<(2 * day): distance = "\(age / hour) h"
        case ..<(31 * day): distance = "\(age / day) days"
        default: return nil
        }
        return seconds < 0 ? "in \(distance)" : "\(distance) ago"
    }
}

extension Timestamp {
    /// The moment in UTC, to the second.
    var inFull: String { date.formatted(.iso8601.dateTimeSeparator(.space)) }
}
