import CloudModel
import Foundation

/// The language a page is written in, and how dates and numbers look in it.
struct PageLanguage: Sendable {
    let locale: Locale
    /// The time zone of dates. A record holds moments and no place, so it is UTC for everybody.
    private static let zone = TimeZone.gmt

    /// - Parameter header: `Accept-Language`; only its first wish counts, as the words of pages are in English.
    init(acceptLanguage header: String?) {
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

    func date(_ moment: Timestamp) -> String {
        var style = Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: Self.zone)
        style.calendar = Calendar(identifier: .gregorian)
        return moment.date.formatted(style)
    }

    /// Day and time.
    func time(_ moment: Timestamp) -> String {
        var style = Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: Self.zone)
        style.calendar = Calendar(identifier: .gregorian)
        return moment.date.formatted(style) + " UTC"
    }

    /// The days from one moment to another, or the one day they are on.
    func dates(_ first: Timestamp, _ last: Timestamp) -> String {
        let (first, last) = (date(first), date(last))
        return first == last ? first : "\(first) – \(last)"
    }

    /// `1 photo`, `8 photos`.
    func count(_ count: Int, _ noun: String) -> String { "\(number(Int64(count))) \(noun)\(count == 1 ? "" : "s")" }

    func number(_ value: Int64) -> String { value.formatted(.number.locale(locale)) }
    func number(_ value: Double) -> String { value.formatted(.number.locale(locale)) }

    /// Bytes in the unit that fits them.
    func size(_ bytes: Int64) -> String { bytes.formatted(.byteCount(style: .file).locale(locale)) }
}
