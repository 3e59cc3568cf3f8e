@testable import CloudHTTP
import NIOCore
import Testing

/// Heads of answers whose bytes are kept from one answer to the next.
struct AnswerHeadTests {
    private static let headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    private struct Case {
        var body = "{}"
        var id = "6a1b7f9e-1c8e-4f0a-9f1e-3b1a5c7d9e00"
        var date = "Sat, 31 Jan 2026 08:00:00 GMT"
        var isLast = false
        var readers = CommonFields.Readers.any
        var policy: String?
        var more: HTTPField?
    }

    private func bytes(_ response: Response, _ item: Case) -> String {
        var response = response
        response.common.requestUUID = item.id
        response.common.crossOrigin = item.readers
        response.headers[.strictTransportSecurity] = item.policy
        if let more = item.more { response.headers.append(more) }
        let answer = HTTP1Answer(response, isLast: item.isLast, date: item.date)
        return String(buffer: Array(item.body.utf8).withUnsafeBytes { answer.bytes(ByteBufferAllocator(), body: $0) })
    }

    @Test("Each answer's bytes are independent of the answers sent before it")
    func same() {
        let kinds = [
            Case(), Case(id: "0c7d3a52-77aa-4c1c-8a44-0f62f9b1c311"), Case(body: #"{"a":1}"#), Case(id: "short"),
            Case(date: "Sat, 31 Jan 2026 08:00:01 GMT"), Case(isLast: true), Case(readers: .none),
            Case(readers: .origin("https://a.example")), Case(readers: .origin("https://b.example")),
            Case(policy: "max-age=1"), Case(policy: "max-age=2"), Case(more: HTTPField(name: .vary, value: "Accept")),
            Case(id: ""),
        ]
        let head = AnswerHead(status: .ok, headers: Self.headers)
        for first in kinds {
            for second in kinds {
                for item in [first, second, first] {
                    let body = ResponseBody(bytes: Array(item.body.utf8))
                    let alone = Response(status: .ok, headers: Self.headers, body: body)
                    #expect(bytes(Response(head: head, body: body), item) == bytes(alone, item))
                }
            }
        }
    }

    @Test("Answers that differ only in their ids share one serialized head")
    func once() {
        let head = AnswerHead(status: .ok, headers: Self.headers)
        var written = 0
        for id in ["6a1b7f9e-1c8e-4f0a-9f1e-3b1a5c7d9e00", "0c7d3a52-77aa-4c1c-8a44-0f62f9b1c311"] {
            var response = Response(head: head, body: ResponseBody(bytes: [1]))
            response.common.requestUUID = id
            response.common.crossOrigin = .any
            let answer = HTTP1Answer(response, isLast: false, date: "today")
            let found = head.bytes(of: answer) {
                written += 1
                return AnswerHead.Bytes(head: Array("X-Apple-Request-UUID: \(id)\r\n\r\n".utf8), id: 22..<58)
            }
            #expect(found?.id == 22..<58)
        }
        #expect(written == 1)
    }
}
