import Foundation
import Testing

@testable import CumulusKit

struct JSONTests {
    @Test("A value written and read is the same")
    func roundTrip() throws {
        let value: JSON = [
            "text": "a\"\\/\u{1}\n\u{1F600}é", "big": 9_007_199_254_740_993, "list": [true, .null, .number(0.1)],
        ]
        #expect(try JSON(parsing: value.data) == value)
    }

    @Test(
        "Escapes are read",
        arguments: [(#""\ud83d\ude00""#, "\u{1F600}"), (#""\u00e9\n\/""#, "é\n/"), (#""\ud83d!""#, "\u{FFFD}!")])
    func escapes(text: String, expected: String) throws {
        #expect(try JSON(parsing: Data(text.utf8)) == .string(expected))
    }

    @Test(
        "What is no JSON is refused and never traps",
        arguments: [
            "", "{", "[1,", "[1}", "{\"a\"}", "{\"a\":1,}", "tru", "\"", "\"\\", "\"\\u12", "1 2", "--1", "nul",
        ])
    func malformed(text: String) {
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: Data(text.utf8)) }
    }

    @Test("JSON nested deeper than any answer is refused and never overflows the stack")
    func depth() {
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: Data(repeating: UInt8(ascii: "["), count: 100_000)) }
    }
}
