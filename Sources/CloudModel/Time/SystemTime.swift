package import Foundation

/// The source of time: everything that asks for the time is handed one.
package typealias Now = @Sendable () -> Timestamp

extension Timestamp {
    /// The system's time.
    package static func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    /// The nearest millisecond to a date of the system's libraries.
    package init(_ date: Date) { self.init(seconds: date.timeIntervalSince1970) }

    /// The timestamp as a Foundation date.
    package var date: Date { Date(timeIntervalSince1970: seconds) }
}
