@testable import CloudHTTP
import NIOCore
import Testing

/// Parts of requests wait within bounds.
struct PendingPartsTests {
    private static let head = RequestPart.head(
        HTTPRequest(method: .get, authority: "a", path: "/health"))

    @Test("The chunks of a body are kept as one part and count by their bytes")
    func bodies() {
        var parts = PendingParts()
        parts.append(Self.head)
        for _ in 0..<1000 { parts.append(.body(ByteBuffer(string: "x"))) }
        #expect(!parts.isFull)
        parts.append(.body(ByteBuffer(repeating: 0, count: 64 << 10)))
        #expect(parts.isFull)
        parts.append(.end)
        guard case .head = parts.popFirst(), case .body(let bytes) = parts.popFirst(), case .end = parts.popFirst()
        else {
            Issue.record("the parts are not a head, a body and an end")
            return
        }
        #expect(bytes.readableBytes == 1000 + 64 << 10)
        #expect(parts.isEmpty && !parts.isFull)
    }

    @Test("Requests over the maximum are dropped with their bodies and all later requests")
    func requests() {
        var parts = PendingParts()
        for _ in 0..<PendingParts.mostRequests {
            parts.append(Self.head)
            parts.append(.end)
        }
        #expect(!parts.isCut)
        for part in [Self.head, .body(ByteBuffer(string: "x")), .end] { parts.append(part) }
        #expect(parts.isCut && parts.requests == PendingParts.mostRequests)
        var count = 0
        while parts.popFirst() != nil { count += 1 }
        #expect(count == 2 * PendingParts.mostRequests && parts.requests == 0)
        parts.append(Self.head)
        #expect(parts.isEmpty)
    }

    @Test("Waiting bytes count for their sender, and a request without room is dropped with its successors")
    func counted() throws {
        var settings = InFlightSettings()
        settings.requestBytesPerCaller = 100
        let counts = RequestsInFlight(settings)
        func room() -> Int { (0...100).last { (try? counts.unread(of: "a").take($0)) != nil } ?? -1 }
        var parts = PendingParts()
        func append(_ part: RequestPart) {
            parts.append(part)
            parts.count { _ in counts.unread(of: "a") }
        }
        for part in [Self.head, .body(ByteBuffer(repeating: 0, count: 60)), .end, Self.head] { append(part) }
        #expect(room() == 40)
        append(.body(ByteBuffer(repeating: 0, count: 30)))
        #expect(room() == 10 && !parts.isCut)
        append(.body(ByteBuffer(repeating: 0, count: 30)))
        #expect(room() == 40 && parts.isCut && parts.requests == 1)
        append(.body(ByteBuffer(repeating: 0, count: 30)))
        append(Self.head)
        #expect(room() == 40 && parts.requests == 1)
        while parts.popFirst() != nil {}
        parts.count { _ in counts.unread(of: "a") }
        #expect(room() == 100)
        var dropped: PendingParts? = PendingParts()
        dropped?.append(Self.head)
        dropped?.append(.body(ByteBuffer(repeating: 0, count: 60)))
        dropped?.count { _ in counts.unread(of: "a") }
        #expect(room() == 40)
        dropped = nil
        #expect(room() == 100)
    }
}
