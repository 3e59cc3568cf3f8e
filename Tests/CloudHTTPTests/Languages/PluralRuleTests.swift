import CloudHTTP
import Testing

@Suite("Plural forms") struct PluralRuleTests {
    /// Whole numbers of CLDR's samples.
    private static let samples: [(tags: String, [PluralCategory: [Int]])] = [
        ("ja ko zh-Hans id vi", [.other: [0, 1, 2, 15, 100, 1_000_000]]),
        ("en de nl sv tr", [.one: [1], .other: [0, 2, 11, 21, 101, 1_000_000]]),
        ("hi", [.one: [0, 1], .other: [2, 17, 100]]),
        ("es it", [.one: [1], .many: [1_000_000, 2_000_000], .other: [0, 2, 16, 1_000_001]]),
        ("fr pt-BR", [.one: [0, 1], .many: [1_000_000, 10_000_000], .other: [2, 17, 100, 1_100_000]]),
        ("he", [.one: [1], .two: [2], .other: [0, 3, 20, 100]]),
        (
            "ru uk",
            [
                .one: [1, 21, 31, 101, 1001], .few: [2, 3, 4, 22, 24, 102],
                .many: [0, 5, 11, 12, 14, 19, 111, 112, 1_000_000],
            ]
        ),
        ("pl", [.one: [1], .few: [2, 4, 22, 24, 102], .many: [0, 5, 12, 14, 21, 31, 101, 112]]),
        ("hr", [.one: [1, 21, 101], .few: [2, 4, 22, 104], .other: [0, 5, 11, 12, 19, 111]]),
        ("cs sk", [.one: [1], .few: [2, 3, 4], .other: [0, 5, 21, 22, 100]]),
        ("ro", [.one: [1], .few: [0, 2, 16, 101, 119], .other: [20, 35, 100, 120]]),
        ("lt", [.one: [1, 21, 101], .few: [2, 9, 22, 109], .other: [0, 10, 11, 19, 20, 111]]),
        ("lv", [.zero: [0, 10, 11, 19, 20, 111], .one: [1, 21, 101], .other: [2, 9, 22]]),
        ("sl", [.one: [1, 101, 201], .two: [2, 102], .few: [3, 4, 103], .other: [0, 5, 11, 100]]),
        (
            "ar",
            [
                .zero: [0], .one: [1], .two: [2], .few: [3, 10, 103, 110], .many: [11, 26, 99, 111, 199],
                .other: [100, 101, 102, 200, 202, 1000, 1_000_000],
            ]
        ),
    ]

    @Test("A number has the plural form that CLDR's samples give it", arguments: samples.indices)
    func category(sample: Int) throws {
        let (tags, numbers) = Self.samples[sample]
        for tag in tags.split(separator: " ") {
            let rule = try #require(PluralRule(String(tag)))
            #expect(rule.categories == Set(numbers.keys), "\(tag)")
            for (category, numbers) in numbers {
                for number in numbers { #expect(rule.category(of: number) == category, "\(tag) \(number)") }
            }
        }
    }

    @Test("A category of one number holds for no other number")
    func categoriesOfOneNumber() throws {
        for (tags, _) in Self.samples {
            for tag in tags.split(separator: " ") {
                let rule = try #require(PluralRule(String(tag)))
                for category in rule.ofOneNumber {
                    #expect((0...1200).count { rule.category(of: $0) == category } == 1, "\(tag) \(category)")
                }
            }
        }
    }

    @Test("A language without a known rule has none") func unknown() { #expect(PluralRule("xx") == nil) }
}
