import CSimdJSON
import Testing

@testable import CloudModel

/// The scan that saves most stored records a parse.
struct PlainObjectTests {
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        guard let parser = csimdjson_parser_create(JSONParser.maximumDepth) else { return false }
        defer { csimdjson_parser_destroy(parser) }
        return csimdjson_is_plain_object(parser, bytes, bytes.count) != 0
    }

    private static func parses(_ bytes: [UInt8]) -> Bool {
        if case .object = try? JSONParser.parse(bytes) { true } else { false }
    }

    private static let record = #"""
        {"recordName":"a-1","recordType":"Item","fields":{"title":{"value":"ünïcödé, 日本, {[,:]}","type":"STRING"},"n":{"value":-120,"type":"INT64"},"d":{"value":0.5e-3,"type":"DOUBLE"},"l":{"value":[1,2.5,true,false,null,{},[],"x"],"type":"LIST"}},"deleted":false}
        """#

    @Test(
        "A record as it is stored is taken by the scan",
        arguments: ["{}", #"{"a":1}"#, #"{"a":[[{"b":0}],-0.1e+7]}"#, record])
    func plain(text: String) {
        #expect(Self.isPlain(Array(text.utf8)) && Self.parses(Array(text.utf8)))
    }

    @Test(
        "Text that is no JSON object is left to the parser",
        arguments: [
            "", "{", "}", "[]", "1", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{"a":1}}"#, #"{"a":01}"#,
            #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":-}"#, #"{"a":1e}"#, #"{"a":tru}"#, #"{"a":"b}"#, #"{"a":"\q"}"#,
            #"{"a":"\u12"}"#, #"{a:1}"#, #"{"a":[1}"#, #"{"a":{]}"#, #"{"a":[1,]}"#, "{\"a\":\"\u{1}\"}",
            "{\"a\":\"\0\"}",
            #"{"a":1 }"#, #"{"a":"\n"}"#, #"{,"a":1}"#, #"{"a":[,1]}"#, #"{"a":"b"c}"#, #"{"a":1}x"#, #"{"a":truex}"#,
        ])
    func left(text: String) { #expect(!Self.isPlain(Array(text.utf8))) }

    @Test("Deep nesting is left to the parser") func depth() {
        let deep = String(repeating: #"{"a":"#, count: 70) + "1" + String(repeating: "}", count: 70)
        #expect(!Self.isPlain(Array(deep.utf8)))
    }

    @Test("Invalid UTF-8 is left to the parser", arguments: [[0xFF], [0xC3], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80]])
    func encoding(bytes: [UInt8]) {
        #expect(!Self.isPlain(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)))
    }

    @Test("Whatever the scan takes after random damage is an object for the parser too") func damage() {
        let whole = Array(Self.record.utf8)
        let bytes = Array(#"{}[]":,\0123456789.eE+-tfn"#.utf8) + [0, 1, 0x1F, 0x7F, 0x80, 0xC3, 0xFF]
        var generator = SystemRandomNumberGenerator()
        var taken = 0
        for _ in 0..<10_000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = damaged.indices.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[index] = bytes.randomElement(using: &generator) ?? 0
                case 1: damaged.remove(at: index)
                default: damaged.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            guard Self.isPlain(damaged) else { continue }
            taken += 1
            if !Self.parses(damaged) {
                Issue.record("taken, but no object: \(String(decoding: damaged, as: UTF8.self))")
            }
        }
        #expect(taken > 0)
    }
}
