package import NIOCore

/// A request for an endpoint. Copies share the head.
package struct Request: Sendable {
    private let shared: Shared
    package var body: RequestBody

    private final class Shared: Sendable {
        let head: HTTPRequest
        /// The index of the target's `?`, or its end index.
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
    /// Host and port from the client.
    package var authority: String? { shared.head.authority }
    /// Path and query, as received.
    package var target: String { shared.head.path ?? "" }

    /// The path as received, without the query.
    package var path: Substring { target[..<shared.pathEnd] }

    /// The text after the `?`, as received; may be empty.
    package var query: Substring {
        let target = target
        guard shared.pathEnd < target.endIndex else { return "" }
        return target[target.utf8.index(after: shared.pathEnd)...]
    }

    /// The query's CloudKit parameters.
    package var parameters: QueryString { shared.parameters }

    /// A copy with another method.
    package func asking(_ method: HTTPRequest.Method) -> Request {
        var head = head
        head.method = method
        return Request(head: head, body: body)
    }
}

extension String {
    /// The index of the `?`. Searches contiguous bytes, many times faster than a search by index.
    fileprivate var indexOfQuery: Index? {
        let mark = UInt8(ascii: "?")
        let offset = utf8.withContiguousStorageIfAvailable { $0.place(of: mark) }
        guard let offset else { return utf8.firstIndex(of: mark) }
        return offset.map { utf8.index(startIndex, offsetBy: $0) }
    }
}

/// A request body, complete or streamed. Readable once.
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

    /// The body if complete; nil for a streamed body.
    package var whole: ByteBuffer? { if case .whole(let bytes) = source { bytes } else { nil } }

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
