import Testing

@testable import CloudModel

struct JSONTests {
    @Test(
        "JSON is written as it was read",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "-0.0", "1e+22",
            "5e-324", #""""#, #""a\"\\\n\r\t\u0000\u001fé🏔""#, "[]", "{}", #"[[],{},[1,"a",null]]"#,
            #"{"":1,"b":{"a":[true,{"c":null}]}}"#,
        ])
    func roundTrip(document: String) throws {
        #expect(text(try json(document)) == document)
    }

    @Test(
        "Escapes, exponents and integers past 64 bits are parsed",
        arguments: [
            (#""\u00e9\ud83c\udfd4\/""#, JSONValue.string("é🏔/")),
            ("1.0", .number(1)), ("1E2", .number(100)), ("18446744073709551615", .number(18_446_744_073_709_551_616)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)),
            ("18446744073709552000", .number(18_446_744_073_709_551_616)), ("-9223372036854775809", .number(-0x1p63)),
            ("1000000000000000000000", .number(1e21)), ("[-1000000000000000000000]", .array([.number(-1e21)])),
            (
                #"["18446744073709552000\"",18446744073709552000 ,9223372036854775807,1e-4]"#,
                .array([
                    .string("18446744073709552000\""), .number(18_446_744_073_709_551_616), .integer(.max),
                    .number(1e-4),
                ])
            ),
            (" [ 1 , 2 ] ", .array([.integer(1), .integer(2)])),
            ("1e-400", .number(0)),
        ])
    func otherSpellings(document: String, expected: JSONValue) throws {
        #expect(try json(document) == expected)
    }

    @Test(
        "Malformed JSON is refused",
        arguments: [
            "", " ", "{", "[1", #"{"a":1"#, #"{"a"}"#, #"{a:1}"#, "[1,]", "nul", "NaN", "Infinity", "-", "01", "1.",
            ".5",
            "1e400", "-1e400", String(repeating: "9", count: 400), "018446744073709551616", "18446744073709551616x",
            #""abc"#, "\"a\nb\"", #""\x""#, #""\ud800""#, #""\ud800\u0041""#,
            "[1] 2", "'a'",
        ])
    func malformed(document: String) {
        #expect(throws: JSONParser.Failure.self) { try json(document) }
    }

    @Test(
        "JSON with invalid UTF-8 is refused",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(bytes) }
    }

    @Test("JSON nested deeper than allowed is refused") func nesting() throws {
        let deepest = JSONParser.maximumDepth - 1
        #expect(throws: Never.self) {
            try json(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        }
        for depth in [JSONParser.maximumDepth + 1, 1000, 100_000] {
            #expect(throws: JSONParser.Failure.self) {
                try json(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
            }
            #expect(throws: JSONParser.Failure.self) { try json(String(repeating: #"{"a":"#, count: depth)) }
        }
        // A refused document leaves nothing behind in the parser it used.
        #expect(try json("[1]") == .array([.integer(1)]))
    }

    @Test(
        "The count of a document's values includes nested arrays and objects",
        arguments: [
            ("1", 1), ("[]", 2), ("[1,2,3]", 4), (#"{"a":1,"b":[2,{"c":",[{"}]}"#, 6), (#"["\",\"",1]"#, 3),
        ])
    func valueCount(document: String, values: Int) {
        #expect(Array(document.utf8).withUnsafeBytes { ValueCount.bound($0, ifMoreThan: 0) } == values)
    }

    @Test("A document too short to exceed the limit is parsed without counting its values")
    func shortDocument() {
        let document = Array("[1,2,3]".utf8)
        #expect(document.withUnsafeBytes { ValueCount.bound($0, ifMoreThan: 3) } == 4)
        #expect(document.withUnsafeBytes { ValueCount.bound($0, ifMoreThan: 4) } == 0)
    }

    @Test("Of equal keys in an object the last one counts") func equalKeys() throws {
        let object = try #require(try json(#"{"a":1,"b":2,"a":3,"c":1,"c":null}"#).object)
        #expect(object["a"] == .integer(3))
        #expect(object["c"] == nil && object.contains("c"))
        #expect(object["d"] == nil && !object.contains("d"))
    }

    @Test("A repeated key is one member with its last value, however many other keys there are")
    func repeatedKey() throws {
        let repeated = Array(repeating: #""reverse":false"#, count: 200_000).joined(separator: ",")
        let object = try #require(try json(#"{\#(repeated),"reverse":true,"a":1}"#).object)
        #expect(object.members.map(\.key) == ["reverse", "a"])
        #expect(object["reverse"] == .bool(true))
        let others = (0..<100).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let large = try #require(try json(#"{"k7":"first",\#(others),\#(repeated)}"#).object)
        #expect(large.members.count == 101 && large.members[0].key == "k7")
        #expect(large["k7"] == .integer(7) && large["reverse"] == .bool(false))
    }

    @Test("Members of a large object are found without a scan, and of a small one with the same result")
    func largeObject() throws {
        for count in [1, JSONObject.mostWalked, JSONObject.mostWalked + 1, 50_000] {
            let members = (0..<count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
            var object = try #require(try json("{\(members)}").object)
            #expect(object.isIndexed == (count > JSONObject.mostWalked))
            #expect((0..<count).allSatisfy { object["k\($0)"] == .integer(Int64($0)) })
            #expect(object["k\(count)"] == nil && !object.contains("k\(count)"))
            object.set("k0", .null)
            object.set("new", .bool(true))
            #expect(object["k0"] == nil && object.contains("k0") && object["new"] == .bool(true))
            #expect(object.members.count == count + 1 && object.members[0].key == "k0")
            #expect(JSONObject(object.members) == object)
        }
    }

    @Test("Keys that Unicode calls equivalent are two keys") func keyBytes() throws {
        for others in ["", (0..<40).map { #","k\#($0)":0"# }.joined()] {
            let object = try #require(try json("{\"\u{E9}\":1,\"e\u{301}\":2\(others)}").object)
            #expect(object["\u{E9}"] == .integer(1) && object["e\u{301}"] == .integer(2))
        }
    }

    @Test("Parsers on many threads do not mix up their documents") func threads() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let document = #"{"n":\#(number),"s":"\#(String(repeating: "x", count: number * 50))"}"#
                    let read = text(try json(document))
                    #expect(read == document)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("The writer escapes keys and separates members with commas") func escaping() {
        var writer = JSONWriter()
        writer.object {
            $0.key("a\"b")
            $0.array { inner in
                inner.integer(1)
                inner.object { _ in }
                inner.verbatim(Array("[2]".utf8))
                inner.string("[")
                inner.bool(true)
            }
            $0.member("left out", nil)
            $0.member("last", 5)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a\"b":[1,{},[2],"[",true],"last":5}"#)
    }
}
