import DequeModule
import NIOCore

/// A bounded queue of received request parts that wait for their turn on the connection.
package struct PendingParts {
    /// The number of requests that may wait behind the current request.
    package static let mostRequests = 100
    private static let mostParts = 16
    private static let mostBytes = 64 << 10

    private var parts = Deque<RequestPart>()
    private var bytes = 0
    /// The bytes counted in `unread`.
    private var counted = 0
    private var unread: RequestsInFlight.Unread?
    package private(set) var requests = 0
    /// True after a request was dropped over a limit; all later requests are dropped too.
    package private(set) var isCut = false

    package var isEmpty: Bool { parts.isEmpty }
    /// True while the connection must pause reading.
    var isFull: Bool { parts.count >= Self.mostParts || bytes >= Self.mostBytes }

    package mutating func append(_ part: RequestPart) {
        if isCut { return }
        switch part {
        case .head:
            guard requests < Self.mostRequests else {
                isCut = true
                return
            }
            requests += 1
        case .body(let more):
            bytes += more.readableBytes
            // Many small chunks would cost a multiple of their bytes; merge them.
            if case .body(var last) = parts.last {
                parts.removeLast()
                last.writeImmutableBuffer(more)
                parts.append(.body(last))
                return
            }
        case .end: break
        }
        parts.append(part)
    }

    mutating func popFirst() -> RequestPart? {
        let part = parts.popFirst()
        switch part {
        case .head: requests -= 1
        case .body(let taken): bytes -= taken.readableBytes
        case .end, nil: break
        }
        return part
    }

    package mutating func removeAll() {
        parts.removeAll()
        (bytes, requests, counted, unread) = (0, 0, 0, nil)
    }

    /// Counts the waiting bytes. Drops the last request if they exceed the limit, and all later requests.
    ///
    /// - Parameter counter: gives the byte count for a request's sender.
    package mutating func count(by counter: (HTTPRequest) -> RequestsInFlight.Unread) {
        if bytes > counted {
            if unread == nil { unread = lastHead.map(counter) }
            do {
                try unread?.take(bytes - counted)
                counted = bytes
            } catch { cut() }
        }
        guard bytes < counted else { return }
        unread?.release(counted - bytes)
        counted = bytes
        if bytes == 0 { unread = nil }
    }

    private var lastHead: HTTPRequest? {
        for case .head(let head) in parts.reversed() { return head }
        return nil
    }

    /// Drops the last received request and all later requests.
    private mutating func cut() {
        isCut = true
        while let part = parts.popLast() {
            if case .body(let dropped) = part { bytes -= dropped.readableBytes }
            guard case .head = part else { continue }
            requests -= 1
            return
        }
    }
}
