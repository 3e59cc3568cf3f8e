package import Foundation

/// A clock. Code that needs the time receives a clock.
package typealias Now = @Sendable () -> Timestamp

extension Timestamp {
    /// The system's time.
    package static func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    /// A Foundation date, rounded to milliseconds.
    package init(_ date: Date) { self.init(seconds: date.timeIntervalSince1970) }

    /// The timestamp as a Foundation date.
    package var date: Date { Date(timeIntervalSince1970: seconds) }
}
