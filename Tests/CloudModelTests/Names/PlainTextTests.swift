import CloudModel
import Testing

/// Texts on their way to a terminal, and names that hold no control characters.
struct PlainTextTests {
    @Test(
        "Control characters and marks of direction are written out",
        arguments: [
            ("Mei <a> 'b' é 東京 👩‍👩‍👧", "Mei <a> 'b' é 東京 👩‍👩‍👧"), ("\u{1B}[31mred", #"\u001b[31mred"#),
            ("\u{9B}2J", #"\u009b2J"#), ("\u{9D}0;title\u{9C}", #"\u009d0;title\u009c"#), ("a\rb\u{7}", #"a\rb\u0007"#),
            ("a\r\nb", #"a\r\nb"#), ("\u{7F}\u{0}", #"\u007f\u0000"#), ("a\u{202E}b", #"a\u202eb"#),
            ("a\u{2028}b\u{85}c", #"a\u2028b\u0085c"#), ("a\tb", #"a\tb"#),
        ])
    func written(text: String, plain: String) {
        #expect(PlainText.line(text) == plain)
    }

    @Test("A block keeps its line breaks and tabs but no other control character") func blocks() {
        #expect(PlainText.block("a\tb\nc\r\u{1B}\u{90}") == "a\tb\nc\\r\\u001b\\u0090")
    }

    @Test(
        "New names may contain no control characters, not even those of C1",
        arguments: ["\u{1B}", "\u{7F}", "\u{80}", "\u{85}", "\u{9B}31m", "a\u{9F}", "\n"])
    func names(text: String) {
        #expect(Naming.fault(recordName: text, limit: 255, isNew: true) != nil)
        #expect(Naming.fault(zoneName: text, limit: 255) != nil)
        #expect(Naming.fault(subscriptionName: text, limit: 255) != nil)
        for allowed in ["\u{A0}", "é", "\u{C2}", "東京", "a\u{A9}b"] {
            #expect(Naming.fault(recordName: allowed, limit: 255, isNew: true) == nil)
        }
    }

    @Test("An old record whose name has a C1 control character can be changed and deleted")
    func oldNames() throws {
        let record = #"{"recordName": "a\u0085b", "parent": {"recordName": "\u009b"}}"#
        for type in ["update", "delete", "forceDelete", "forceReplace"] {
            let operation = try JSONParser.parse(Array(#"{"operationType": "\#(type)", "record": \#(record)}"#.utf8))
            let parsed = try RecordOperation.parse(operation, at: 0, defaults: Presentation(), limits: Limits()).get()
            #expect(parsed.recordName == "a\u{85}b")
        }
        #expect(Naming.fault(recordName: "a\u{1B}", limit: 255) != nil)
        #expect(Naming.fault(zoneName: "a\u{85}", limit: 255, isNew: false) == nil)
    }
}
