/// A form of a text that depends on a number, by its name in Unicode's CLDR.
package enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

/// The choice of a plural form for whole numbers (CLDR's cardinal rules). Foundation on Linux has none.
package enum PluralRule: Sendable {
    case same
    /// 1.
    case one
    /// 0 and 1.
    case zeroOrOne
    /// 1, and millions.
    case oneOrMillions
    /// 0 and 1, and millions.
    case zeroOrOneOrMillions
    case hebrew, eastSlavic, polish, southSlavic, czech, romanian, lithuanian, latvian, slovenian, arabic

    private static let rules: [PluralRule: String] = [
        .same: "id ja ko lo ms my th vi zh",
        .one: "bg da de el en et eu fi gl hu ka kk nb nl nn no sq sv sw ta te tr ur",
        .zeroOrOne: "am bn fa gu hi", .oneOrMillions: "ca es it", .zeroOrOneOrMillions: "fr pt", .hebrew: "he",
        .eastSlavic: "be ru uk", .polish: "pl", .southSlavic: "bs hr sr", .czech: "cs sk", .romanian: "ro",
        .lithuanian: "lt", .latvian: "lv", .slovenian: "sl", .arabic: "ar",
    ]

    private static let languages: [Substring: PluralRule] = Dictionary(
        uniqueKeysWithValues: rules.flatMap { rule, names in names.split(separator: " ").map { ($0, rule) } })

    /// - Parameter tag: a language tag such as `pt-BR`.
    /// - Returns: nil for a language whose rule is unknown here.
    package init?(_ tag: String) {
        guard let rule = Self.languages[tag.prefix { $0 != "-" }] else { return nil }
        self = rule
    }

    /// The categories of whole numbers.
    package var categories: Set<PluralCategory> {
        switch self {
        case .same: [.other]
        case .one, .zeroOrOne: [.one, .other]
        case .oneOrMillions, .zeroOrOneOrMillions: [.one, .many, .other]
        case .hebrew: [.one, .two, .other]
        case .eastSlavic, .polish: [.one, .few, .many]
        case .southSlavic, .czech, .romanian, .lithuanian: [.one, .few, .other]
        case .latvian: [.zero, .one, .other]
        case .slovenian: [.one, .two, .few, .other]
        case .arabic: [.zero, .one, .two, .few, .many, .other]
        }
    }

    /// The categories of a single number, whose texts need not contain it.
    package var ofOneNumber: Set<PluralCategory> {
        switch self {
        case .one, .oneOrMillions, .polish, .czech, .romanian: [.one]
        case .hebrew: [.one, .two]
        case .arabic: [.zero, .one, .two]
        default: []
        }
    }

    /// - Parameter number: not negative.
    package func category(of number: Int) -> PluralCategory {
        let (tens, hundreds) = (number % 10, number % 100)
        switch self {
        case .same: return .other
        case .one: return number == 1 ? .one : .other
        case .zeroOrOne: return number <= 1 ? .one : .other
        case .oneOrMillions: return number == 1 ? .one : Self.millions(number)
        case .zeroOrOneOrMillions: return number <= 1 ? .one : Self.millions(number)
        case .hebrew: return number == 1 ? .one : number == 2 ? .two : .other
        case .eastSlavic:
            if tens == 1, hundreds != 11 { return .one }
            return Self.isFew(tens, hundreds) ? .few : .many
        case .polish:
            if number == 1 { return .one }
            return Self.isFew(tens, hundreds) ? .few : .many
        case .southSlavic:
            if tens == 1, hundreds != 11 { return .one }
            return Self.isFew(tens, hundreds) ? .few : .other
        case .czech: return number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case .romanian:
            return number == 1 ? .one : number == 0 || (1...19).contains(hundreds) ? .few : .other
        case .lithuanian:
            if (11...19).contains(hundreds) || tens == 0 { return .other }
            return tens == 1 ? .one : .few
        case .latvian:
            if (11...19).contains(hundreds) || tens == 0 { return .zero }
            return tens == 1 ? .one : .other
        case .slovenian:
            return hundreds == 1 ? .one : hundreds == 2 ? .two : (3...4).contains(hundreds) ? .few : .other
        case .arabic: return Self.arabic(number, hundreds)
        }
    }

    private static func millions(_ number: Int) -> PluralCategory {
        number != 0 && number % 1_000_000 == 0 ? .many : .other
    }

    private static func isFew(_ tens: Int, _ hundreds: Int) -> Bool {
        (2...4).contains(tens) && !(12...14).contains(hundreds)
    }

    private static func arabic(_ number: Int, _ hundreds: Int) -> PluralCategory {
        switch (number, hundreds) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }
}
