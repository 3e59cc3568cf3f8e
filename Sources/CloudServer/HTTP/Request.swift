package import NIOCore

/// A request as endpoints see it. Copies share its head.
package struct Request: Sendable {
    private let shared: Shared
    package var body: RequestBody

    private final class Shared: Sendable {
        let head: HTTPRequest
        /// The index of the `?` of the target, or its end.
        let pathEnd: String.Index
        let parameters: QueryString

        init(_ head: HTTPRequest) {
            self.head = head
            let target = head.path ?? ""
            let mark = target.indexOfQuery
            pathEnd = mark ?? target.endIndex
            parameters = mark.map { QueryString(target[target.utf8.index(after: $0)...]) } ?? QueryString()
        }
    }

    package init(head: HTTPRequest, body: RequestBody = RequestBody()) {
        shared = Shared(head)
        self.body = body
    }

    package var head: HTTPRequest { shared.head }
    package var method: HTTPRequest.Method { shared.head.method }
    package var headers: HTTPFields { shared.head.headerFields }
    /// The host and port that the client has named.
    package var authority: String? { shared.head.authority }
    /// The path and the query, as received.
    package var target: String { shared.head.path ?? "" }

    /// The path as received, without the query.
    var path: Substring { target[..<shared.pathEnd] }

    /// The text after the `?`, as received; empty where there is none.
    var query: Substring {
        let target = target
        guard shared.pathEnd < target.endIndex else { return "" }
        return target[target.utf8.index(after: shared.pathEnd)...]
    }

    /// The parameters of the query that the protocol knows.
    var parameters: QueryString { shared.parameters }

    /// The same with another method.
    func asking(_ method: HTTPRequest.Method) -> Request {
        var head = head
        head.method = method
        return Request(head: head, body: body)
    }
}

extension String {
    /// The index of the `?`. The bytes are searched as they lie in memory, which is many times faster than by index.
    fileprivate var indexOfQuery: Index? {
        let mark = UInt8(ascii: "?")
        let offset = utf8.withContiguousStorageIfAvailable { $0.place(of: mark) }
        guard let offset else { return utf8.firstIndex(of: mark) }
        return offset.map { utf8.index(startIndex, offsetBy: $0) }
    }
}

/// The body of a request: its bytes where it has come whole, else its pieces as they come. It can be read once.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    private enum Source: Sendable {
        case whole(ByteBuffer)
        case pieces(@Sendable () -> AsyncIterator)
    }

    private let source: Source

    package init(buffer: ByteBuffer = ByteBuffer()) { source = .whole(buffer) }

    package init<Pieces: AsyncSequence & Sendable>(asyncSequence pieces: Pieces) where Pieces.Element == ByteBuffer {
        source = .pieces {
            var iterator = pieces.makeAsyncIterator()
            return AsyncIterator { try await iterator.next() }
        }
    }

    /// The body where it has come whole; nil for one that comes in pieces.
    var whole: ByteBuffer? { if case .whole(let bytes) = source { bytes } else { nil } }

    package func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .whole(let bytes):
            var bytes: ByteBuffer? = bytes
            return AsyncIterator {
                defer { bytes = nil }
                return bytes
            }
        case .pieces(let make): return make()
        }
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let piece: () async throws -> ByteBuffer?

        package mutating func next() async throws -> ByteBuffer? { try await piece() }
    }
}
