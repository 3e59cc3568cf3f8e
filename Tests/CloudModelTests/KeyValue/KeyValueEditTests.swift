import CloudModel
import Testing

/// Edits that a `modify` of the key-value store asks for.
struct KeyValueEditTests {
    private static var limits: Limits {
        var limits = Limits()
        limits.keyValues.keys = 3
        limits.keyValues.valueBytes = 10
        limits.keyValues.keyBytes = 5
        return limits
    }

    private func edits(_ body: String) throws -> [KeyValueEdit] {
        let object = try #require(try json(body).object)
        return try KeyValueEdit.edits(in: object, limits: Self.limits)
    }

    @Test(
        "A request that names a key twice changes it once, with the last value",
        arguments: [
            ("{}", []), (#"{"set": null, "remove": null}"#, []), (#"{"set": {}, "remove": []}"#, []),
            (#"{"set": {"a": {"type": "INT64", "value": 1}}, "remove": ["b", "c", "b"]}"#, ["a=", "b", "c"]),
            (
                #"{"set": {"a": {"type": "INT64", "value": 1}, "b": {"type": "INT64", "value": 1}, "a": {"type": "INT64", "value": 2}}}"#,
                ["a=", "b="]
            ),
            (#"{"remove": ["\#u{e9}", "e\#u{301}"]}"#, ["\u{e9}", "e\u{301}"]),
            (#"{"set": {"abcde": {"type": "STRING", "value": "0123456789"}}}"#, ["abcde="]),
        ])
    func eachKeyOnce(body: String, expected: [String]) throws {
        let found = try edits(body).map { $0.value == nil ? $0.key : $0.key + "=" }
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(
        "A refused key-value write names the key and the limit",
        arguments: [
            (#"{"set": []}"#, ServerError.Code.badRequest, "set must be"),
            (#"{"remove": {}}"#, .badRequest, "remove must be"),
            (#"{"remove": [1]}"#, .badRequest, "remove[0]"), (#"{"set": {"a": null}}"#, .badRequest, "set.a is null"),
            (#"{"set": {"a": "x"}}"#, .badRequest, "set.a must be"),
            (#"{"set": {"a": {"type": "LIST", "value": [1]}}}"#, .badRequest, "set.a.value[0] must be"),
            (#"{"set": {"": {"type": "INT64", "value": 1}}}"#, .badRequest, "empty"),
            (#"{"remove": [""]}"#, .badRequest, "empty"),
            (#"{"remove": ["ééé"]}"#, .badRequest, "'ééé' has 6 bytes of UTF-8, at most 5"),
            (#"{"set": {"abcdef": {"type": "INT64", "value": 1}}}"#, .badRequest, "at most 5"),
            (#"{"set": {"a": {"type": "INT64", "value": 1}}, "remove": ["a"]}"#, .badRequest, "'a' is both"),
            (#"{"remove": ["a", "b", "c", "d"]}"#, .badRequest, "at most 3"),
            (#"{"set": {"a": {}, "b": {}, "c": {}, "d": {}}}"#, .quotaExceeded, "at most 3"),
            (#"{"set": {"a": {"type": "STRING", "value": "0123456789x"}}}"#, .quotaExceeded, "11 bytes, at most 10"),
        ])
    func refusals(body: String, code: ServerError.Code, reason: String) {
        let error = #expect(throws: ServerError.self) { try edits(body) }
        #expect(error?.code == code)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("A key-value message names the user whose store changed, and the reason")
    func storeChange() throws {
        let message = KeyValueMessage(
            container: "iCloud.a", userRecordName: "_alice", id: "n-1", reason: .serverChange)
        #expect(
            String(decoding: message.json, as: UTF8.self)
                == #"{"aps":{"content-available":1},"ck":{"ce":2,"cid":"iCloud.a","ckuserid":"_alice","nid":"n-1","#
                + #""kvs":{"reason":"SERVER_CHANGE"}}}"#)
    }
}
