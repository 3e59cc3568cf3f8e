package import CloudModel
import Foundation

/// The language of a page: its texts, and its formats for dates, numbers and sizes.
package struct PageLanguage: Sendable {
    /// The language tag of the texts, such as `pt-BR`.
    package let tag: String
    private let table: TextTable
    private let rule: PluralRule
    private let locale: Locale
    /// The time zone of dates: UTC, since records store times without a place.
    private static let zone = TimeZone.gmt

    /// The language of logs, programs and the console, with the texts in the program.
    package static let english = PageLanguage(.english)

    init(_ table: TextTable) {
        self.init(table, Locale(identifier: table.tag))
    }

    private init(_ table: TextTable, _ locale: Locale) {
        tag = table.tag
        self.table = table
        self.locale = locale
        rule = PluralRule(table.tag) ?? .one
    }

    /// The regions of ISO 3166 and UN M49. Foundation keeps each locale until the program ends, so callers name no others.
    private static let regions = Set(Locale.Region.isoRegions.map(\.identifier))

    /// The same texts with the dates and numbers of a region.
    ///
    /// - Parameter tag: a language tag such as `en-GB`; without a known region the language stays as it is.
    func inRegion(_ tag: String) -> PageLanguage {
        let isRegion = { (part: Substring) -> Bool in Self.regions.contains(part.uppercased()) }
        // A single letter begins an extension, such as another calendar.
        let parts: ArraySlice<Substring> = tag.split(separator: "-").prefix { $0.count > 1 }.dropFirst()
        guard let region = parts.first(where: isRegion) else { return self }
        let own = self.tag.split(separator: "-").enumerated().filter { $0.offset == 0 || !isRegion($0.element) }
        let names = own.map { String($0.element) } + [region.uppercased()]
        return PageLanguage(table, Locale(identifier: names.joined(separator: "-")))
    }

    /// The language and region for Open Graph, such as `de_DE`; without an accepted region the language's most likely one.
    package var openGraphLocale: String {
        let parts = locale.language.maximalIdentifier.split(separator: "-")
        return [parts.first, parts.last].compactMap(\.self).joined(separator: "_")
    }

    /// The language's own name; the tag if it has none.
    package var name: String { table.name ?? tag }

    package var direction: TextDirection {
        Self.rightToLeft.contains(tag.prefix { $0 != "-" }) ? .rightToLeft : .leftToRight
    }

    private static let rightToLeft: Set<Substring> = ["ar", "fa", "he", "ps", "ur", "yi"]

    /// True if this language has the key.
    package func hasText(_ key: String) -> Bool { table.entries[key] != nil }

    /// All keys, in order.
    package var keys: [String] { table.entries.keys.sorted() }

    /// The table's entry for a key; nil for an unknown key.
    package func entry(_ key: String) -> TextTable.Entry? { table.entries[key] }
}

// MARK: Texts

extension PageLanguage {
    package func text(_ phrase: Phrase) -> String {
        switch phrase {
        case .keyed(let key, let values): text(key, values)
        case .english(let text): text
        case .reason(let reason, let otherwise): self.reason(reason) ?? text(otherwise)
        }
    }

    /// A text with its values; the key itself for an unknown key.
    package func text(_ key: String, _ values: [String: PhraseValue] = [:]) -> String {
        let form: String
        switch table.entries[key] {
        case .plain(let text): form = text
        case .plural(let forms):
            var number = 0
            if case .number(let count) = values["count"] { number = max(0, count) }
            form = forms[rule.category(of: number)] ?? forms[.other] ?? key
        case nil: return key
        }
        guard !values.isEmpty, let pieces = TextTable.pieces(form) else { return form }
        return pieces.map { piece in
            switch piece {
            case .literal(let text): String(text)
            case .placeholder(let name): values[String(name)].map(shown) ?? "{\(name)}"
            }
        }.joined()
    }

    private func shown(_ value: PhraseValue) -> String {
        switch value {
        case .text(let text): text
        case .name(let name): isolated(name)
        case .number(let number): self.number(Int64(number))
        case .phrase(let phrase): text(phrase)
        }
    }

    /// A name of the other writing direction between isolates, so that it does not move the words around it.
    private func isolated(_ name: String) -> String {
        TextDirection(name) == direction ? name : "\u{2068}\(name)\u{2069}"
    }

    /// Joins parts of a list without "and".
    package func list(_ parts: [String]) -> String { parts.joined(separator: text("list.comma")) }

    /// A refusal's sentence, found by its English text; nil if this language has none.
    private func reason(_ english: String) -> String? {
        if tag == "en" { return english }
        for (key, entry) in Self.english.table.entries where key.hasPrefix("reason.") {
            guard case .plain(let text) = entry, let values = TextTable.values(in: english, of: text) else { continue }
            return self.text(key, values.mapValues { .text($0) })
        }
        return nil
    }
}

extension TextTable {
    /// The values that make a text from its pattern; nil for another text.
    static func values(in text: String, of pattern: String) -> [String: String]? {
        var values: [String: String] = [:]
        var (rest, open) = (text[...], Substring?.none)
        for piece in pieces(pattern) ?? [] {
            switch piece {
            case .placeholder(let name): open = name
            case .literal(let literal):
                guard let found = rest.range(of: literal, options: open == nil ? .anchored : []) else { return nil }
                if let name = open { values[String(name)] = String(rest[..<found.lowerBound]) }
                (rest, open) = (rest[found.upperBound...], nil)
            }
        }
        if let open { values[String(open)] = String(rest) } else if !rest.isEmpty { return nil }
        return values
    }
}

// MARK: Formats

extension PageLanguage {
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

    /// Formats the digits of a local clock.
    ///
    /// - Parameters:
    ///   - clock: the digits as if they were UTC.
    ///   - zone: shown after the time; nil for an unknown zone.
    package func localTime(_ clock: Timestamp, zone: String?) -> String {
        var style = Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: Self.zone)
        style.calendar = Calendar(identifier: .gregorian)
        return ([clock.date.formatted(style)] + [zone].compactMap(\.self)).joined(separator: " ")
    }

    /// Formats a day with its weekday.
    package func weekday(_ day: Timestamp) -> String {
        var style = Date.FormatStyle(locale: locale, timeZone: Self.zone).weekday(.wide).day().month(.wide).year()
        style.calendar = Calendar(identifier: .gregorian)
        return day.date.formatted(style)
    }

    /// Formats a date range, or a single date.
    package func dates(_ first: Timestamp, _ last: Timestamp) -> String {
        let (first, last) = (date(first), date(last))
        return first == last ? first : "\(first) – \(last)"
    }

    package func number(_ value: Int64) -> String { value.formatted(.number.locale(locale)) }
    package func number(_ value: Double) -> String { value.formatted(.number.locale(locale)) }

    /// Formats a file size in a suitable unit.
    package func size(_ bytes: Int64) -> String { bytes.formatted(.byteCount(style: .file).locale(locale)) }
}
