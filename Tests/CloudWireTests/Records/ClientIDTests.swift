import TestCloud
import CloudModel
import Testing

/// The name that a client gives itself in the parameter `clientId`.
struct ClientIDTests {
    private static let changes = [
        ("private/records/modify", #"{"operations": [\#(Operation.write("create", "n1"))]}"#),
        (
            "private/zones/modify",
            #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#
        ),
        (
            "private/zones/modify",
            #"{"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#
        ),
        ("public/records/accept", #"{"shortGUIDs": [{"value": "0AAAAAAAAAAAAAAAAAAAAA"}]}"#),
    ]

    @Test(
        "A clientId that is too long or contains U+0000 is refused, and nothing is changed",
        arguments: [
            (String(repeating: "c", count: 256), "256 bytes, at most 255"),
            (String(repeating: "%C3%A9", count: 128), "256 bytes, at most 255"), ("a%00b", "U+0000"),
        ])
    func refused(id: String, words: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for (path, body) in Self.changes {
                let answer = try await mei.post(path, body, query: "clientId=\(id)")
                #expect(answer.text.contains("BAD_REQUEST") && answer.text.contains("clientId"), "\(answer.text)")
                #expect(answer.text.contains(words), "\(path): \(answer.text)")
            }
            let store = try await mei.device(id).post("modify", #"{"set": {}}"#)
            #expect(store.status == 400 && store.reason.contains(words), "\(store.text)")
            #expect(try await mei.lookup("n1")["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await mei.get("private/zones/list").zoneNames == ["_defaultZone"])
        }
    }

    @Test("A clientId of 255 bytes and an empty one are accepted")
    func taken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for (number, id) in [String(repeating: "c", count: 255), ""].enumerated() {
                let body = #"{"operations": [\#(Operation.write("create", "n\(number)"))]}"#
                let answer = try await mei.post("private/records/modify", body, query: "clientId=\(id)")
                #expect(answer["records.0.recordChangeTag"] != nil, "\(answer.text)")
            }
        }
    }
}
