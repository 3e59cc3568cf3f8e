import CloudModel
import Testing

/// Values are given back as they came, each kind its own.
struct PropertyValueTests {
    @Test(
        "A property value is written as it was read",
        arguments: [
            #"{"type":"STRING","value":""}"#, #"{"type":"STRING","value":"KSFO é 😀 \" \\ \n \u0000"}"#,
            #"{"type":"INT64","value":0}"#, #"{"type":"INT64","value":-9223372036854775808}"#,
            #"{"type":"INT64","value":9223372036854775807}"#, #"{"type":"DOUBLE","value":1.0}"#,
            #"{"type":"DOUBLE","value":-0.0}"#, #"{"type":"DOUBLE","value":5e-324}"#,
            #"{"type":"DOUBLE","value":1.7976931348623157e+308}"#, #"{"type":"DOUBLE","value":"NaN"}"#,
            #"{"type":"DOUBLE","value":"-Infinity"}"#, #"{"type":"BOOLEAN","value":true}"#,
            #"{"type":"BOOLEAN","value":false}"#, #"{"type":"TIMESTAMP","value":-1}"#,
            #"{"type":"TIMESTAMP","value":1422312944104}"#, #"{"type":"TIMESTAMP","value":1422312944104.25}"#,
            #"{"type":"BYTES","value":""}"#, #"{"type":"BYTES","value":"AP8="}"#, #"{"type":"LIST","value":[]}"#,
            #"{"type":"LIST","value":[{"type":"INT64","value":1},{"type":"DOUBLE","value":1.0}]}"#,
            #"{"type":"DICTIONARY","value":{}}"#,
            #"{"type":"DICTIONARY","value":{"z":{"type":"LIST","value":[]},"":{"type":"BOOLEAN","value":true}}}"#,
        ])
    func roundTrip(text: String) throws {
        let value = try PropertyValue(json(text))
        #expect(String(decoding: value.json, as: UTF8.self) == text)
        #expect(value.json == (try PropertyValue(JSONParser.parse(value.json)).json))
    }

    @Test(
        "Different spellings of a property value are written in one form",
        arguments: [
            (#"{"value":5.0,"type":"INT64"}"#, #"{"type":"INT64","value":5}"#),
            (#"{"value":"9007199254740993","type":"INT64"}"#, #"{"type":"INT64","value":9007199254740993}"#),
            (#"{"value":5,"type":"DOUBLE"}"#, #"{"type":"DOUBLE","value":5.0}"#),
            (#"{"value":1152921504606847000,"type":"DOUBLE"}"#, #"{"type":"DOUBLE","value":1.152921504606847e+18}"#),
            (#"{"value":5.0,"type":"TIMESTAMP"}"#, #"{"type":"TIMESTAMP","value":5}"#),
            (#"{"value":"AP8","type":"BYTES"}"#, #"{"type":"BYTES","value":"AP8="}"#),
            (#"{"value":"x","type":"STRING","more":1}"#, #"{"type":"STRING","value":"x"}"#),
            (
                #"{"value":{"a":{"type":"INT64","value":1},"a":{"type":"INT64","value":2}},"type":"DICTIONARY"}"#,
                #"{"type":"DICTIONARY","value":{"a":{"type":"INT64","value":2}}}"#
            ),
        ])
    func oneForm(given: String, written: String) throws {
        #expect(String(decoding: try PropertyValue(json(given)).json, as: UTF8.self) == written)
    }

    @Test(
        "A value of no property type is refused, with its path",
        arguments: [
            ("1", "", "object"), ("{}", "", "type"), (#"{"type":"int64","value":1}"#, "", "one of STRING, INT64"),
            (#"{"type":"INT64"}"#, "", "no value"), (#"{"type":"STRING","value":null}"#, "", "no value"),
            (#"{"type":"STRING","value":1}"#, ".value", "a string"),
            (#"{"type":"INT64","value":1.5}"#, ".value", "whole number"),
            (#"{"type":"INT64","value":9223372036854775808}"#, ".value", "64 bits"),
            (#"{"type":"INT64","value":-9223372036854775809}"#, ".value", "64 bits"),
            (#"{"type":"INT64","value":true}"#, ".value", "whole number"),
            (#"{"type":"DOUBLE","value":"1.5"}"#, ".value", "number"),
            (#"{"type":"BOOLEAN","value":1}"#, ".value", "true or false"),
            (#"{"type":"TIMESTAMP","value":1e300}"#, ".value", "2^53"),
            (#"{"type":"TIMESTAMP","value":-9223372036854775808}"#, ".value", "2^53"),
            (#"{"type":"BYTES","value":"?"}"#, ".value", "base64"), (#"{"type":"LIST","value":{}}"#, ".value", "array"),
            (#"{"type":"DICTIONARY","value":[]}"#, ".value", "object"),
            (#"{"type":"LIST","value":[{"type":"INT64","value":1},2]}"#, ".value[1]", "object"),
            (
                #"{"type":"DICTIONARY","value":{"a":{"type":"LIST","value":[{"type":"BYTES","value":1}]}}}"#,
                ".value.a.value[0].value", "base64"
            ),
        ])
    func otherValues(text: String, path: String, reason: String) throws {
        let parsed = try json(text)
        let fault = #expect(throws: PropertyValue.Fault.self) { try PropertyValue(parsed) }
        #expect(fault?.path == path)
        #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
    }

    @Test(
        "A property value's byte count is that of its contents",
        arguments: [
            (#"{"type":"STRING","value":"é😀"}"#, 6), (#"{"type":"INT64","value":1}"#, 8),
            (#"{"type":"DOUBLE","value":1}"#, 8), (#"{"type":"TIMESTAMP","value":1}"#, 8),
            (#"{"type":"BOOLEAN","value":true}"#, 1), (#"{"type":"BYTES","value":""}"#, 0),
            (#"{"type":"BYTES","value":"AA=="}"#, 1), (#"{"type":"BYTES","value":"AAA="}"#, 2),
            (#"{"type":"BYTES","value":"AAAA"}"#, 3), (#"{"type":"LIST","value":[]}"#, 0),
            (#"{"type":"LIST","value":[{"type":"LIST","value":[]},{"type":"BOOLEAN","value":true}]}"#, 9),
            (#"{"type":"DICTIONARY","value":{"ab":{"type":"INT64","value":1}}}"#, 14),
        ])
    func byteCount(text: String, count: Int) throws {
        #expect(try PropertyValue(json(text)).byteCount == count)
    }
}
