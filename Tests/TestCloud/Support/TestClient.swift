package import CloudHTTP
package import CloudServer
import Logging
package import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
package import ServiceLifecycle
import Synchronization

/// How a test reaches a server.
package enum TestingSetup: Sendable {
    /// Past the socket: requests are handed to the server's steps.
    case router
    /// Through a socket of the loopback.
    case live
}

/// An answer of a server.
package struct TestResponse: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let body: ByteBuffer
}

/// Sends requests to a server.
package protocol TestClientProtocol: Sendable {
    /// The port of the server; nil where it has none.
    var port: Int? { get }

    func answer(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> TestResponse
}

extension TestClientProtocol {
    package func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await answer(method, uri, headers, body)
    }

    package func execute<T>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        _ read: (TestResponse) async throws -> T
    ) async throws -> T {
        try await read(answer(method, uri, headers, body))
    }
}

extension Application {
    /// Runs the server's services, and with `live` the server, for as long as `body` takes.
    package func test<T: Sendable>(
        _ setup: TestingSetup, _ body: @Sendable (any TestClientProtocol) async throws -> T
    ) async throws -> T {
        switch setup {
        case .router:
            return try await running(services) {
                try await body(StepClient(responder: responder))
            }
        case .live:
            let (ports, tell) = AsyncStream.makeStream(of: Int.self)
            return try await running([listening { tell.yield($0) }]) {
                for await port in ports { return try await body(SocketClient(number: port)) }
                throw CancellationError()
            }
        }
    }
}

/// Runs services for as long as `body` takes.
package func running<T: Sendable>(
    _ services: [any Service], _ body: () async throws -> T
) async throws -> T {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let (begun, tell) = AsyncStream.makeStream(of: Void.self)
    let group = ServiceGroup(
        configuration: .init(services: services + [Beginning(tell: tell)], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { tell.finish() }
            try await group.run()
        }
        do {
            for await _ in begun { break }
            let value = try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
    }
}

/// Tells that the services of a group have begun.
private struct Beginning: Service {
    let tell: AsyncStream<Void>.Continuation

    func run() async throws {
        tell.yield()
        try? await gracefulShutdown()
    }
}

/// Hands requests to the steps of a server.
private struct StepClient: TestClientProtocol {
    let responder: Responder

    var port: Int? { nil }

    func answer(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> TestResponse {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        let head = HTTPRequest(method: method, authority: "localhost", path: target, headerFields: headers)
        let request = Request(head: head, body: RequestBody(asyncSequence: Pieces(bytes: body ?? ByteBuffer())))
        let response = try await responder.respond(
            to: request, context: CloudRequestContext(channel: NIOAsyncTestingChannel()))
        let collected = Collected()
        try await response.body.write(collected)
        return TestResponse(
            status: response.status, headers: response.fields, body: collected.bytes.withLock { $0 })
    }

    /// A body as it comes from a socket.
    private struct Pieces: AsyncSequence, Sendable {
        let bytes: ByteBuffer

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes) }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ByteBuffer

            mutating func next() async -> ByteBuffer? {
                rest.readableBytes == 0 ? nil : rest.readSlice(length: Swift.min(32 << 10, rest.readableBytes))
            }
        }
    }

    private final class Collected: ResponseBodyWriter, Sendable {
        let bytes = Mutex(ByteBuffer())

        func write(_ piece: ByteBuffer) { _ = bytes.withLock { $0.writeImmutableBuffer(piece) } }
        func finish() {}
    }
}

/// Sends each request over a connection of its own.
package struct SocketClient: TestClientProtocol {
    package let number: Int

    package init(number: Int) { self.number = number }

    package var port: Int? { number }

    package func answer(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> TestResponse {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: number) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method.rawValue), uri: target)
            head.headers.add(name: "Host", value: "localhost")
            for field in headers { head.headers.add(name: field.name.rawName, value: field.value) }
            if let body { head.headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes)) }
            try await outbound.write(.head(head))
            if let body { try await outbound.write(.body(.byteBuffer(body))) }
            try await outbound.write(.end(nil))
            return try await Self.answer(in: inbound)
        }
    }

    private static func answer(
        in parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
    ) async throws -> TestResponse {
        var (status, fields, body) = (HTTPResponse.Status.ok, HTTPFields(), ByteBuffer())
        for try await part in parts {
            switch part {
            case .head(let head):
                status = HTTPResponse.Status(code: Int(head.status.code))
                fields = HTTPFields()
                for (name, value) in head.headers {
                    if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
                }
            case .body(let bytes): body.writeImmutableBuffer(bytes)
            case .end: return TestResponse(status: status, headers: fields, body: body)
            }
        }
        throw ChannelError.eof
    }
}
