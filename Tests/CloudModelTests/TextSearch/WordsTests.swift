import CloudModel
import Synchronization
import Testing

/// The words of a text (reference A §5.3).
struct WordsTests {
    @Test(
        "Text is cut into words",
        arguments: [
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
            ("ﬁn ǆ", ["fin", "ǆ"]), ("x:y 1:2:z", ["x", "y", "1", "2", "z"]), ("e\u{301}\u{300}", ["e"]),
            ("\u{301}", []),
        ])
    func words(text: String, expected: [String]) {
        #expect(Words.of(text).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("Case does not change the words of a text", arguments: ["FRANKFURT am Main", "Straße 5, ÇORLU 東京"])
    func letterCase(text: String) {
        #expect(Words.of(text.lowercased()) == Words.of(text.uppercased()))
        #expect(Words.of(Words.of(text).joined(separator: " ")) == Words.of(text))
    }

    @Test("Only the leading characters of a long word are indexed") func longWord() {
        let long = String(repeating: "x", count: 100)
        #expect(Words.of(long) == [String(repeating: "x", count: Words.longest)])
        #expect(Words.of(long) == Words.of(long + "y"))
    }

    @Test("Word extraction stops once the wanted number of words is found") func wantedWords() {
        let long = (0..<80_000).map { "w\($0)" }.joined(separator: " ")
        #expect(Words.of(long, most: 3) == ["w0", "w1", "w2"])
        #expect(Words.of(long).count == Words.mostKept)
        let read = Mutex(0)
        let texts = (0..<100).lazy.map { number in
            read.withLock { $0 += 1 }
            return "w\(number) w\(number)"
        }
        #expect(Words.of(texts, most: 2) == ["w0", "w1"])
        #expect(read.withLock { $0 } <= 101)
    }

    @Test("The words of several texts are listed once each") func severalTexts() {
        #expect(Words.of(["Red Hot", "red", "hot Ice"]) == ["red", "hot", "ice"])
        #expect(Words.of(["東", "\u{301}京"]) == ["東", "京"])
    }

    /// Marks mean the same in any order of their classes, as text in either normal form.
    @Test(
        "The order of combining marks does not change a word",
        arguments: [("क\u{93C}\u{94D}", "क\u{94D}\u{93C}"), ("ก\u{E38}\u{E48}", "ก\u{E48}\u{E38}")])
    func combiningMarks(one: String, other: String) {
        #expect(Words.of("\(one) x") == Words.of("\(other) x"))
    }

    /// The index of words takes letters, digits and what is not ASCII, nothing else. What becomes of each character is
    /// held to what it was: when this fails after a change of the toolchain, or of the folding, raise `Words.version`.
    @Test("Words are made of letters, digits and characters outside ASCII") func alphabet() {
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
        for value in UInt32(0)..<0x3_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for word in Words.of("q\(Character(scalar))q") {
                var isPlain = true
                for byte in word.utf8 {
                    fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3
                    isPlain =
                        isPlain && (byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte))
                }
                if !isPlain { Issue.record("\(value) \(word)") }
            }
            fingerprint = (fingerprint ^ 0xFF) &* 0x100_0000_01B3
        }
        #expect(fingerprint == 0x9159_09A8_0FA9_CC88 && Words.version == 2)
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
