package import NIOCore

/// A request for an endpoint. A class, since each step refers to it.
package final class Request: Sendable {
    package let head: HTTPRequest
    private let parsed: RequestTarget
    package let body: RequestBody

    package convenience init(head: HTTPRequest, body: RequestBody = RequestBody()) {
        self.init(head: head, RequestTarget(head.path ?? ""), body)
    }

    /// - Parameter target: the parsed target of `head`.
    init(head: HTTPRequest, _ target: RequestTarget, _ body: RequestBody) {
        self.head = head
        parsed = target
        self.body = body
    }

    package var method: HTTPRequest.Method { head.method }
    package var headers: HTTPFields { head.headerFields }
    /// Host and port from the client.
    package var authority: String? { head.authority }
    /// Path and query, as received.
    package var target: String { parsed.text }

    /// The path as received, without the query.
    package var path: Substring { parsed.path }

    /// The text after the `?`, as received; may be empty.
    package var query: Substring { parsed.query }

    /// The query's CloudKit parameters.
    package var parameters: QueryString { parsed.parameters }

    /// Data of the target's last caller, for its next request.
    package var memory: TargetMemory { parsed.memory }

    /// A copy with another method.
    package func asking(_ method: HTTPRequest.Method) -> Request {
        with(
            HTTPRequest(
                method: method, authority: head.authority, path: head.path, headerFields: head.headerFields))
    }

    /// A copy with another head for the same target.
    package func with(_ head: HTTPRequest) -> Request { Request(head: head, parsed, body) }

    /// A copy with another body.
    package func with(_ body: RequestBody) -> Request { Request(head: head, parsed, body) }
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
