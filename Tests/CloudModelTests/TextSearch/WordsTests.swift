import CloudModel
import Testing

/// What the words of a text are (reference A §5.3).
struct WordsTests {
    @Test(arguments: [
        ("", []), (" .,;–—…!? ", []), ("Frankfurt am Main", ["frankfurt", "am", "main"]),
        ("The Airport of the Year", ["airport", "year"]), ("A AND an", []), ("Theatre", ["theatre"]),
        ("Málaga, São Tomé & Zürich", ["malaga", "sao", "tome", "zurich"]),
        ("Ma\u{301}laga Málaga", ["malaga"]), ("Straße STRASSE straẞe", ["strasse"]),
        ("Tromsø Łódź Đorđe Ærø œuvre Ħal Þór", ["tromso", "lodz", "dorde", "aero", "oeuvre", "hal", "thor"]),
        ("ISTANBUL İstanbul ıstanbul istanbul", ["istanbul"]), ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ οδυσσευσ", ["οδυσσευσ"]),
        ("Шереметьево ШЕРЕМЕТЬЕВО Йошкар Ёлка", ["шереметьево", "иошкар", "елка"]),
        ("東京 Airport", ["東", "京", "airport"]), ("スキー場", ["ス", "キ", "ー", "場"]), ("が か", ["か\u{3099}", "か"]),
        ("인천 국제공항", ["인천", "국제공항"].map { String($0.decomposed) }),
        ("שָׁלוֹם שלום", ["שלום"]), ("مُحَمَّد محمد", ["محمد"]), ("हिन्दी हद", ["हिन्दी", "हद"]),
        ("Boeing 747-400", ["boeing", "747", "400"]), ("3.14", ["3", "14"]), ("٣٤ ３４", ["34"]), ("ＡＢＣ", ["abc"]),
        ("O'Hare O’Hare", ["o", "hare"]), ("don't", ["don", "t"]), ("snake_case", ["snake", "case"]),
        ("🏔️🏔🏽 ok👍🏽", ["🏔", "ok", "👍"]), ("null\u{0}byte", ["null", "byte"]), ("a\u{1}b\u{7F}c", ["b", "c"]),
        ("ﬁn ǆ", ["fin", "ǆ"]), ("x:y 1:2:z", ["x", "y", "1", "2", "z"]), ("e\u{301}\u{300}", ["e"]), ("\u{301}", []),
    ])
    func words(text: String, expected: [String]) {
        #expect(Words.of(text).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test(arguments: ["FRANKFURT am Main", "Straße 5, ÇORLU 東京"])
    func aWordIsFoundHoweverItIsWritten(text: String) {
        #expect(Words.of(text.lowercased()) == Words.of(text.uppercased()))
        #expect(Words.of(Words.of(text).joined(separator: " ")) == Words.of(text))
    }

    @Test func ofAWordOnlySoManyCharactersCount() {
        let long = String(repeating: "x", count: 100)
        #expect(Words.of(long) == [String(repeating: "x", count: Words.longest)])
        #expect(Words.of(long) == Words.of(long + "y"))
    }

    /// The index of words takes letters, digits and what is not ASCII, nothing else.
    @Test func wordsAreMadeOfLettersAndDigits() {
        for value in UInt32(0)..<0x3_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for word in Words.of("q\(Character(scalar))q") {
                let isPlain = word.utf8.allSatisfy {
                    $0 >= 0x80 || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                }
                #expect(isPlain, "\(value) \(word)")
            }
        }
    }
}

extension String {
    /// In the form without composed syllables.
    fileprivate var decomposed: String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard (0xAC00...0xD7A3).contains(scalar.value) else {
                result.append(scalar)
                continue
            }
            let index = scalar.value - 0xAC00
            let parts =
                [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (index % 28 == 0 ? [] : [0x11A7 + index % 28])
            result.append(contentsOf: parts.compactMap { Unicode.Scalar($0) })
        }
        return result
    }
}
