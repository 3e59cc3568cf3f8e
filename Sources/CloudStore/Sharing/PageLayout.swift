import CloudSQL

/// How the pictures and videos of a page stand.
package enum PageLayout: String, CaseIterable, Sendable {
    /// By days where there are several and the page is in order of time, else in one stream.
    case automatic
    /// By the time of taking, each day under a heading.
    case days
    /// Without headings.
    case stream

    /// The migration "25 page layouts". NULL is `automatic`.
    static let sql = Layout(
        sqlite: "ALTER TABLE page_settings ADD COLUMN layout TEXT;",
        postgres: #"ALTER TABLE page_settings ADD COLUMN layout TEXT COLLATE "C";"#)

    /// The stored form; nil for the default.
    package var stored: String? { self == .automatic ? nil : rawValue }

    /// - Parameter stored: nil for the default, which also stands for a value of a later version.
    init(stored: String?) { self = stored.flatMap(PageLayout.init(rawValue:)) ?? .automatic }

    /// True if days have headings, which needs each day to be one run.
    ///
    /// - Parameter days: those of the items in their order.
    package func hasHeadings(_ days: [Int]) -> Bool {
        guard self != .stream, let first = days.first else { return false }
        return (self == .days || first != days.last) && zip(days, days.dropFirst()).allSatisfy { $0 <= $1 }
    }
}
