import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The tests' own instrument has to be right, or it proves nothing.
struct JSONSchemaTests {
    @Test(
        "Each keyword of JSON Schema accepts and refuses its values",
        arguments: [
            (#"{"type": "string"}"#, #""a""#, #"1"#),
            (#"{"type": ["string", "null"]}"#, #"null"#, #"[]"#),
            (#"{"type": "integer"}"#, #"3"#, #"3.5"#),
            (#"{"type": "number"}"#, #"3"#, #""3""#),
            (#"{"enum": ["a", 1]}"#, #"1"#, #""b""#),
            (#"{"const": true}"#, #"true"#, #"false"#),
            (#"{"required": ["a"]}"#, #"{"a": null}"#, #"{"b": 1}"#),
            (#"{"properties": {"a": {"type": "string"}}}"#, #"{"a": "x", "b": 1}"#, #"{"a": 1}"#),
            (#"{"properties": {"a": {}}, "additionalProperties": false}"#, #"{"a": 1}"#, #"{"a": 1, "b": 1}"#),
            (#"{"additionalProperties": {"type": "integer"}}"#, #"{"a": 1}"#, #"{"a": "1"}"#),
            (#"{"items": {"type": "integer"}, "minItems": 1, "maxItems": 2}"#, #"[1, 2]"#, #"[1, "2"]"#),
            (#"{"minLength": 2, "maxLength": 3}"#, #""abc""#, #""abcd""#),
            (#"{"minLength": 2}"#, #""ab""#, #""a""#),
            (#"{"minItems": 1}"#, #"[1]"#, #"[]"#),
            (#"{"maxItems": 1}"#, #"[1]"#, #"[1, 2]"#),
            (#"{"minimum": 1, "maximum": 2}"#, #"1.5"#, #"2.5"#),
            (#"{"minimum": 1}"#, #"1"#, #"0"#),
            (#"{"pattern": "^_[0-9]+$"}"#, #""_12""#, #""12""#),
            (#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#, #"1"#, #"[]"#),
            (#"{"oneOf": [{"type": "integer"}, {"minimum": 5}]}"#, #"1"#, #"7"#),
            (#"{"allOf": [{"type": "integer"}, {"minimum": 5}]}"#, #"7"#, #"1"#),
            (##"{"$ref": "#/defs/name"}"##, #""a""#, #"1"#),
        ])
    func keywords(schema: String, good: String, bad: String) throws {
        let document = try parse(#"{"defs": {"name": {"type": "string"}}}"#)
        let validator = JSONSchema(document: document)
        #expect(validator.faults(of: try parse(good), as: try parse(schema)) == [])
        #expect(validator.faults(of: try parse(bad), as: try parse(schema)) != [])
    }

    @Test("A schema keyword that the checker does not know is a fault") func unknownKeyword() throws {
        let faults = JSONSchema(document: .null).faults(of: 1, as: try parse(#"{"multipleOf": 2}"#))
        #expect(faults == ["$: the keyword multipleOf is unknown"])
    }

    /// Every example of the document is what its schema says.
    @Test("The examples of openapi.yaml fit their schemas") func examples() throws {
        let schema = JSONSchema(document: Contract.shared.document)
        var checked = 0
        func walk(_ value: JSONValue, at path: String) {
            if let content = value[path: "schema"], let example = value[path: "example"] {
                checked += 1
                #expect(schema.faults(of: example, as: content) == [], "\(path)")
            }
            for member in value.object?.members ?? [] { walk(member.value, at: "\(path)/\(member.key)") }
            for (index, element) in (value.array ?? []).enumerated() { walk(element, at: "\(path)/\(index)") }
        }
        walk(Contract.shared.document, at: "")
        #expect(checked > 40)
    }

    @Test(
        "An answer that differs from openapi.yaml is a fault",
        arguments: [
            (200, #"{"zones": []}"#, true), (200, "{}", false), (200, #"{"zones": [], "more": 1}"#, false),
            (418, "{}", false),
            (200, #"{"zones": [{"zoneID": {"zoneName": "Z"}, "syncToken": "AAAA", "atomic": true}]}"#, false),
        ])
    func differingAnswer(status: Int, text: String, isRight: Bool) throws {
        let answer = Answer(
            status: status,
            headers: [
                .contentType: "application/json; charset=UTF-8",
                .apple.requestUUID: "173179e2-c5a5-4393-ab4f-3cec194edd1c",
            ], text: text)
        let path = "/database/1/c/development/private/zones/list?ckAPIToken=x"
        #expect(Contract.shared.faults(of: answer, to: .get, path).isEmpty == isRight)
        let bare = Answer(status: status, headers: [.contentType: "application/json"], text: text)
        #expect(!Contract.shared.faults(of: bare, to: .get, path).isEmpty)
    }

    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }
}
