public import Foundation

/// An outgoing request.
public struct HTTPRequest: Sendable {
    public var method: String
    public var url: URL
    public var headers: [String: String]
    public var body: Data?
    public var timeout: Duration

    public init(
        method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A complete answer; header names are in lower case.
public struct HTTPAnswer: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Sends requests to the server. A container can use a transport other than ``URLSessionTransport``.
public protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws -> HTTPAnswer

    /// Yields the body in pieces as received; the stream ends with the body.
    func stream(_ request: HTTPRequest) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>)

    /// Streams a file as the body. `progress` gets the number of bytes sent.
    func upload(
        _ request: HTTPRequest, from file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer

    /// Streams the body of a successful answer into a file; an error's body is in the returned answer. `progress` gets the
    /// number of bytes received.
    func download(
        _ request: HTTPRequest, to file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer
}

extension HTTPTransport {
    /// The default for transports without streaming: reads the whole file into memory.
    public func upload(
        _ request: HTTPRequest, from file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer {
        var request = request
        let body = try Data(contentsOf: file, options: .mappedIfSafe)
        request.body = body
        let answer = try await send(request)
        progress(Int64(body.count))
        return answer
    }

    /// The default for transports without streaming: receives the whole body in memory.
    public func download(
        _ request: HTTPRequest, to file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer {
        let answer = try await send(request)
        guard 200..<300 ~= answer.status else { return answer }
        try answer.body.write(to: file)
        progress(Int64(answer.body.count))
        return HTTPAnswer(status: answer.status, headers: answer.headers, body: Data())
    }
}

/// The reason for a missing answer, as far as known.
public enum TransportFailure: Error {
    /// The request was never sent.
    case notConnected(String)
    /// The request may have been processed; only the answer is missing.
    case answerLost(String)
}
