import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// Bodies over the limit are refused before they have come, and lists beyond theirs without being worked through.
@Suite(.timeLimit(.minutes(20)))
struct LargeRequestTests {
    @Test("A body announced over the limit is refused before it is read")
    func announcedBody() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            try await wire.send(mei.cutBytes("public/records/lookup", #"{"records": ["#, missing: 20 << 20))
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 413"))
            #expect(answer.body.contains("16777216") && answer.body.contains("QUOTA_EXCEEDED"))
        }
    }

    @Test("A chunked body is refused as soon as it exceeds the limit")
    func chunkedBody() async throws {
        try await TestServer.live(configure: { $0.limits.requestBytes = 100_000 }) { server, port in
            let wire = try Wire(port: port)
            try await wire.send(
                "POST \(server.app().target("public/records/lookup")) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            let chunk = "10000\r\n\(String(repeating: " ", count: 0x10000))\r\n"
            for _ in 0..<3 { try await wire.send(chunk) }
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test(
        "A request with a list of 100,000 elements never gets a server error",
        arguments: [
            (
                "records/query", #""query": {"recordType": "Note", "filterBy": [LIST]}"#,
                #"{"fieldName": "a", "comparator": "EQUALS", "fieldValue": {"value": 1}}"#
            ),
            ("records/query", #""query": {"recordType": "Note", "sortBy": [LIST]}"#, #"{"fieldName": "a"}"#),
            (
                "records/query",
                #""query": {"recordType": "Note", "filterBy": {"fieldName": "a", "comparator": "IN", "fieldValue": {"value": [LIST]}}}"#,
                "1"
            ),
            (
                "records/modify", #""operations": [LIST]"#,
                #"{"operationType": "forceDelete", "record": {"recordName": "a"}}"#
            ),
            ("records/lookup", #""records": [LIST]"#, #"{"recordName": "a"}"#),
            ("zones/lookup", #""zones": [LIST]"#, #"{"zoneName": "a"}"#),
        ])
    func longLists(endpoint: String, body: String, element: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""a": {"value": 1}"#)
            let list = repeatElement(element, count: 100_000).joined(separator: ",")
            let answer = try await mei.post("private/\(endpoint)", "{\(body.replacing("LIST", with: list))}")
            #expect(answer.status == 400)
            #expect(answer.reason.contains("100000"))
        }
    }
}
