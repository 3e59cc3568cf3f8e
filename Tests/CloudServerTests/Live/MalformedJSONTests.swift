import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Bodies that are no JSON object, or a strange one.
struct MalformedJSONTests {
    private static let create = #"{"operations": [\#(Operation.write("create", "n1"))]}"#

    @Test(
        "A malformed JSON body is refused as a whole",
        arguments: [
            String(create.dropLast()), String(create.dropLast(5)), create + "}", create + create, "{", "[]",
            "[\(create)]",
            "5",
            "\"text\"", "null", "true", " ", "\u{feff}\(create)", "nul", "{'operations': []}", #"{"operations": [],}"#,
            #"{"operations": [] // none"#, #"{"a": "\ud800"}"#, #"{"a": "\x"}"#, "{\"a\": \"\u{1}\"}", #"{"a": NaN}"#,
            #"{"a": 1e999}"#,
            #"{"a": 01}"#, #"{"a": 99999999999999999999999999999999999}"#,
            String(repeating: "[", count: 100_000),
            String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000),
            String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
        ])
    func malformed(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post("private/records/modify", body)
            #expect(answer.status == 400)
            #expect(answer.code == "BAD_REQUEST")
            #expect(try await mei.lookup("n1")["records.0.serverErrorCode"] == "NOT_FOUND")
        }
    }

    @Test(
        "A body with invalid UTF-8 is refused",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let parts = Self.create.split(separator: "n1", maxSplits: 1)
            let body = Array(parts[0].utf8) + bytes + Array(parts[1].utf8)
            let answer = try await server.send(
                .post, mei.target("private/records/modify"), body: ByteBuffer(bytes: body))
            #expect(answer.status == 400)
        }
    }

    @Test("A repeated JSON key has its last value") func repeatedKey() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post(
                "private/records/modify",
                """
                {"operations": 5, "operations": [{"operationType": "delete", "operationType": "create", "record": {"recordName": "x",
                    "recordName": "n1", "recordType": "Note", "fields": {"a": {"value": 1}, "a": {"value": 2, "value": 3}}}}]}
                """)
            #expect(answer["records.0.recordName"] == "n1")
            #expect(answer["records.0.fields.a.value"] == 3)
        }
    }

    @Test("No client-supplied name becomes a file path") func fileNames() async throws {
        try await TestServer.run { server in
            let evil = "../../../../evil"
            for container in ["..", "...", "a..b"] {
                let mei = try await server.signIn("mei@example.com", container)
                try await mei.makeZone(evil)
                try await mei.save(zone: evil, evil)
                try await mei.save(in: "public", evil)
            }
            for container in [
                evil, "..%2F..%2Fetc%2Fpasswd", "a/b", "a\\u0000b", "", String(repeating: "c", count: 256),
            ] {
                let answer = try await server.client.execute(
                    uri: "/auth/dev/session", method: .post,
                    body: ByteBuffer(
                        string:
                            #"{"container": "\#(container)", "environment": "development", "email": "a@example.com"}"#))
                #expect(answer.status.code == 400, "\(container)")
                let path = container.replacing("/", with: "%2F")
                #expect(try await server.app(path).get("public/zones/list").status >= 400)
            }
            #expect(server.filesOutsidePattern() == [])
        }
    }
}
