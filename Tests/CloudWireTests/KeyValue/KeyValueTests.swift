@testable import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The routes of the key-value store.
struct KeyValueTests {
    @Test("Every type of value is returned as it was set") func valueTypes() async throws {
        try await TestServer.run { server in
            let phone = try await server.signIn("mei@example.com").device()
            let values =
                #"{"s":{"type":"STRING","value":"é"},"i":{"type":"INT64","value":1},"d":{"type":"DOUBLE","value":1.0},"#
                + #""b":{"type":"BOOLEAN","value":true},"t":{"type":"TIMESTAMP","value":1422312944104.5},"#
                + #""x":{"type":"BYTES","value":"AP8="},"n":{"type":"DOUBLE","value":"NaN"},"#
                + #""l":{"type":"LIST","value":[{"type":"DICTIONARY","value":{"k":{"type":"LIST","value":[]}}}]}}"#
            let answer = try await phone.post("modify", #"{"set": \#(values)}"#)
            #expect(answer.status == 200)
            let found = try await phone.changes()
            #expect(found["values"] == (try JSONParser.parse(Array(values.utf8))))
            #expect(found.text.contains(#""d":{"type":"DOUBLE","value":1.0}"#))
            #expect(found["reason"] == "INITIAL_SYNC")
            let all = try await server.send(.get, phone.target("values"))
            #expect(all["values"]?.object?.members.map(\.key) == ["b", "d", "i", "l", "n", "s", "t", "x"])
            #expect(all.changeToken == found.changeToken)
            #expect(try await phone.post("values").text == all.text)
        }
    }

    @Test("A key-value write of many keys succeeds or fails as a whole") func atomicWrite() async throws {
        try await TestServer.run { server in
            let phone = try await server.signIn("mei@example.com").device()
            _ = try await phone.set(["a": "1", "b": "1"])
            let refused = try await phone.post(
                "modify", #"{"set": {"a": {"type": "STRING", "value": "2"}, "c": {"type": "INT64", "value": "x"}}}"#)
            #expect(refused.code == "BAD_REQUEST")
            #expect(refused.reason.contains("set.c.value"))
            _ = try await phone.set(["c": "1"], remove: ["a"])
            #expect(try await phone.post("values").texts() == ["b": "1", "c": "1"])
        }
    }

    @Test(
        "A refused key-value write names the limit and stores nothing",
        arguments: [
            (#"{"set": {"k": {"type": "STRING", "value": "01234567890123456789x"}}}"#, 413, "at most 20"),
            (#"{"set": {"k": {"type": "BYTES", "value": "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}}"#, 413, "21 bytes"),
            (
                #"{"set": {"k": {"type": "STRING", "value": "01234567890123456789"}, "a": {"type": "STRING", "value": "01234567890"}}}"#,
                413, "31 bytes of values, at most 30"
            ),
            (
                #"{"set": {"j": {"type": "INT64", "value": 1}, "k": {"type": "INT64", "value": 1}}}"#, 413,
                "3 keys, at most 2"
            ),
            (#"{"set": {"ninebytes": {"type": "INT64", "value": 1}}}"#, 400, "9 bytes of UTF-8, at most 8"),
            (#"{"set": {}, "changeToken": 1}"#, 400, "changeToken"), (#"{"changeToken": "AAAA"}"#, 409, "changeToken"),
            (#"[]"#, 400, "object"),
        ])
    func refusals(body: String, status: Int, reason: String) async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.keyValues.keys = 2
            configuration.limits.keyValues.valueBytes = 20
            configuration.limits.keyValues.storeBytes = 30
            configuration.limits.keyValues.keyBytes = 8
        }
        try await TestServer.run(configure: configure) { server in
            let phone = try await server.signIn("mei@example.com").device()
            _ = try await phone.set(["a": ""])
            let answer = try await phone.post("modify", body)
            #expect(answer.status == status)
            #expect(answer.reason.contains(reason), "\(answer.reason)")
            #expect(try await phone.post("values").texts() == ["a": ""])
        }
    }

    @Test("A client identifier of more than 255 characters is refused") func longClientID() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            #expect(try await mei.device(String(repeating: "x", count: 255)).set(["a": "1"]).status == 200)
            let answer = try await mei.device(String(repeating: "x", count: 256)).set(["a": "2"])
            #expect(answer.code == "BAD_REQUEST" && answer.reason.contains("255"))
        }
    }

    @Test("Changes over several pages are complete and in order") func pages() async throws {
        try await TestServer.run { server in
            let phone = try await server.signIn("mei@example.com").device()
            _ = try await phone.set(["a": "1", "b": "1", "c": "1"])
            let first = try await phone.changes(limit: 2)
            #expect(first["values"]?.object?.members.count == 2 && first["moreComing"] == true)
            let second = try await phone.changes(since: first.changeToken, limit: 2)
            #expect(second["values"]?.object?.members.count == 1 && second["moreComing"] == false)
            #expect(second["reason"] == "SERVER_CHANGE")
            _ = try await phone.set([:], remove: ["b"])
            let third = try await phone.changes(since: second.changeToken)
            #expect(third["removed"] == .array(["b"]) && third.texts() == [:])
        }
    }
}
