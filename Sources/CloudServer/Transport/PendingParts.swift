import DequeModule
import NIOCore

/// The parts of requests that have come and that nothing takes yet, at most as many as a connection may keep.
struct PendingParts {
    /// The number of requests that may wait behind the one being answered.
    static let mostRequests = 100
    private static let mostParts = 16
    private static let mostBytes = 64 << 10

    private var parts = Deque<RequestPart>()
    private var bytes = 0
    /// Bytes that ``unread`` counts.
    private var counted = 0
    private var unread: RequestsInFlight.Unread?
    private(set) var requests = 0
    /// True once a request was dropped because too much waits; those that follow it are dropped too.
    private(set) var isCut = false

    var isEmpty: Bool { parts.isEmpty }
    /// True while no more is to be read from the connection.
    var isFull: Bool { parts.count >= Self.mostParts || bytes >= Self.mostBytes }

    mutating func append(_ part: RequestPart) {
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
            // Small chunks would take a multiple of their bytes.
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

    mutating func removeAll() {
        parts.removeAll()
        (bytes, requests, counted, unread) = (0, 0, 0, nil)
    }

    /// Counts the bytes that wait. A request that there is no room for is dropped, with all that follow it.
    ///
    /// - Parameter counter: counts for the sender of a request.
    mutating func count(by counter: (HTTPRequest) -> RequestsInFlight.Unread) {
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

    /// Drops the request that came last, and those that follow it.
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
