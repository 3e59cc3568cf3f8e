public import Foundation

/// A request as it goes out.
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

/// An answer whole; the names of its headers are in lower case.
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

/// How requests reach the server. Another one than ``URLSessionTransport`` can be handed to a container.
public protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws -> HTTPAnswer

    /// Hands on the body in the pieces in which it arrives, and ends with it.
    func stream(_ request: HTTPRequest) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>)
}

/// Why no answer came, as far as it can be known.
public enum TransportFailure: Error {
    /// The request never left.
    case notConnected(String)
    /// It may have been carried out; only its answer is missing.
    case answerLost(String)
}
