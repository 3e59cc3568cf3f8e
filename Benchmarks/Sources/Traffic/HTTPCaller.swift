import AsyncHTTPClient
package import Foundation
package import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Sends JSON over keep-alive connections and hands back status and bytes.
package struct HTTPCaller: Sendable {
    private static let largestResponse = 256 << 20

    package struct Answer: Sendable {
        package let status: Int
        package let body: Data
    }

    private let client: HTTPClient
    private let timeout: TimeAmount

    /// - Parameters:
    ///   - connections: how many connections to keep to one host.
    ///   - timeoutSeconds: how long one request may take before it counts as unanswered.
    package init(connections: Int, timeoutSeconds: Int64 = 60) {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // A test wants the failure, not a second try that hides it.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        timeout = .seconds(timeoutSeconds)
    }

    package func shutdown() async throws { try await client.shutdown() }

    package func get(_ url: String) async throws -> Answer { try await send(HTTPClientRequest(url: url)) }

    package func post(
        _ body: String, to url: String, authorization: String? = nil, method: String = "POST"
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        request.headers.add(name: "content-type", value: "application/json")
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        request.body = .bytes(ByteBuffer(string: body))
        return try await send(request)
    }

    /// Sends a file.
    package func send(_ file: ByteBuffer, to url: String, method: String = "POST") async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        request.body = .bytes(file)
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Answer {
        let response = try await client.execute(request, timeout: timeout)
        let body = try await response.body.collect(upTo: Self.largestResponse)
        return Answer(status: Int(response.status.code), body: Data(buffer: body))
    }
}
