package import CloudModel
import Foundation

/// The language of a page, with its formats for dates and numbers.
package struct PageLanguage: Sendable {
    let locale: Locale
    /// The time zone of dates: UTC, since records store times without a place.
    private static let zone = TimeZone.gmt

    /// - Parameter header: `Accept-Language`; only its first entry counts, since page texts are English.
    package init(acceptLanguage header: String?) {
        let first = (header ?? "").prefix { $0 != "," && $0 != ";" }.trimmingCharacters(in: .whitespaces)
        let isTag =
            first.utf8.count <= 35
            && first.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        locale = Locale(identifier: isTag && first.lowercased().hasPrefix("en") ? first : "en")
    }

    package func date(_ moment: Timestamp) -> String {
        var style = Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: Self.zone)
        style.calendar = Calendar(identifier: .gregorian)
        return moment.date.formatted(style)
    }

    /// Formats date and time.
    package func time(_ moment: Timestamp) -> String {
        var style = Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: Self.zone)
        style.calendar = Calendar(identifier: .gregorian)
        return moment.date.formatted(style) + " UTC"
    }

    /// Formats a date range, or a single date.
    package func dates(_ first: Timestamp, _ last: Timestamp) -> String {
        let (first, last) = (date(first), date(last))
        return first == last ? first : "\(first) – \(last)"
    }

    /// `1 photo`, `8 photos`.
    package func count(_ count: Int, _ noun: String) -> String {
        "\(number(Int64(count))) \(noun)\(count == 1 ? "" : "s")"
    }

    package func number(_ value: Int64) -> String { value.formatted(.number.locale(locale)) }
    package func number(_ value: Double) -> String { value.formatted(.number.locale(locale)) }

    /// Formats a file size in a suitable unit.
    package func size(_ bytes: Int64) -> String { bytes.formatted(.byteCount(style: .file).locale(locale)) }
}
