import Foundation
import Testing

@testable import CumulusDemo

struct JSONTests {
    private static let table: [(String, JSON)] = [
        ("true", true), ("false", false), ("1", 1), ("0", 0), ("-1.5", .number(-1.5)),
        ("1732180000123", 1_732_180_000_123), (#""a\"b\\c/d""#, "a\"b\\c/d"), ("null", .null),
        (#"[1,true,"x"]"#, [1, true, "x"]), (#"{"a":{"b":[]},"c":1}"#, ["c": 1, "a": ["b": []]]),
    ]

    @Test(arguments: table)
    func whatIsReadIsWrittenTheSame(text: String, value: JSON) {
        #expect(JSON(Data(text.utf8)) == value)
        #expect(value.text == text)
    }

    @Test(arguments: ["", "{", "<!DOCTYPE html>"])
    func somethingElseIsNone(text: String) {
        #expect(JSON(Data(text.utf8)) == nil)
    }

    @Test
    func anOutlineCutsLongListsOfObjects() {
        let operations = JSON.array((0..<200).map { ["n": .number(Double($0))] })
        #expect(
            JSONOutline(["operations": operations], limit: 100).text
                == #"{"operations":[{"n":0},{"n":1},"… 198 more"]}"#)
    }
}
