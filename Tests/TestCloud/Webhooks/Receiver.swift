package import CloudHTTP
import CloudModel
import Foundation
package import NIOCore
import Synchronization
import Testing

/// A message as it reached somebody's URL.
package struct Delivery: Sendable {
    package let path: String
    package let host: String
    package let headers: [String: String]
    package let body: [UInt8]

    package init(_ request: Request, body: ByteBuffer) {
        path = String(request.target.prefix { $0 != "?" })
        host = request.authority ?? ""
        headers = Dictionary(
            request.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { first, _ in first })
        self.body = Array(body.readableBytesView)
    }

    /// The record it tells of.
    package var record: String? {
        (try? JSONParser.parse(body))?[path: "ck.qry.rid"]?.string
    }
}

/// A web server on the loopback that webhooks are sent to. Of records called `probe` it takes every message and
/// tells nobody but those who wait for it.
package actor Receiver {
    package typealias Reply = @Sendable (Delivery, _ attempt: Int) async throws -> Response

    package nonisolated let port: Int
    private var arrived: [Delivery] = []
    /// One for each that is in ``arrived``, or was.
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    package private(set) var probes: [String] = []

    private init(port: Int) { self.port = port }

    /// Runs one for as long as `body` takes.
    package static func run(
        _ reply: @escaping Reply = { _, _ in Response(status: .ok) },
        _ body: @escaping @Sendable (Receiver) async throws -> Void
    ) async throws {
        let running = Mutex<Receiver?>(nil)
        let attempts = Mutex<[String: Int]>([:])
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        let server = PlainServer(host: "127.0.0.1", port: 0) { request in
            var bytes = ByteBuffer()
            for try await piece in request.body { bytes.writeImmutableBuffer(piece) }
            let delivery = Delivery(request, body: bytes)
            await running.withLock(\.self)?.take(delivery)
            if delivery.record == "probe" { return Response(status: .noContent) }
            let attempt = attempts.withLock { counts in
                counts[delivery.headers["webhook-id"] ?? "", default: 0] += 1
                return counts[delivery.headers["webhook-id"] ?? "", default: 0]
            }
            return try await reply(delivery, attempt)
        } onListening: { port in
            tell.yield(port)
        }
        try await TestCloud.running([server]) {
            for await port in ports {
                let receiver = Receiver(port: port)
                running.withLock { $0 = receiver }
                return try await body(receiver)
            }
        }
    }

    private func take(_ delivery: Delivery) {
        if delivery.record == "probe" {
            probes.append(delivery.path)
        } else {
            arrived.append(delivery)
            arrivals.continuation.yield()
        }
    }

    /// The next message; waits for it.
    ///
    /// - Throws: `CancellationError` when the test's time is up first.
    package func next() async throws -> Delivery {
        for await _ in arrivals.stream { return arrived.removeFirst() }
        throw CancellationError()
    }

    /// Messages that nobody has waited for.
    package var rest: [Delivery] { arrived }

    package nonisolated func url(_ path: String = "/in", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }
}
