import AsyncHTTPClient
import CloudAssets
import CloudModel
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Calls the admin API of a server with a management token.
struct ManagementClient: Sendable {
    let origin: String
    private let token: String

    /// The size limit of answers, in bytes.
    private static let largestResponse = 64 << 20
    /// The time limit, long enough for large changes.
    private static let longest = TimeAmount.minutes(10)
    private static let longestDownload = TimeAmount.hours(24)

    init(origin: String, token: String) throws {
        guard let parts = URLComponents(string: origin), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false
        else { throw Complaint("--server must be an origin such as https://cloud.example.com, not '\(origin)'") }
        self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        self.token = token
    }

    struct Answer {
        let body: ByteBuffer
        /// The `ETag` without quotes.
        let tag: String?

        var json: JSONValue { (try? JSONParser.parse(Array(body.readableBytesView))) ?? .null }
    }

    /// - Parameters:
    ///   - path: below `/admin/1/`, encoded.
    ///   - type: the content type of the body.
    /// - Throws: ``Complaint`` with the server's reason.
    func ask(
        _ method: HTTPMethod, _ path: String, accept: String = "application/json", ifTag tag: String? = nil,
        body: String? = nil, type: String = "application/json"
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: origin + "/admin/1/" + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Accept", value: accept)
        if let tag { request.headers.add(name: "If-Match", value: "\"\(tag)\"") }
        if let body {
            request.headers.add(name: "Content-Type", value: type)
            request.body = .bytes(ByteBuffer(string: body))
        }
        let (status, answer) = try await exchange(request)
        guard status == .ok else { throw refusal(status, answer) }
        return answer
    }

    /// The server's version; nil if undisclosed.
    func version() async throws -> String? {
        var request = HTTPClientRequest(url: origin + "/health")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return try await exchange(request).1.json.object?["version"]?.string
    }

    /// How far a development server's clock is ahead; zero for other servers.
    static func clockAhead(at origin: String) async -> Duration {
        let now = try? await HTTPClient.withHTTPClient(configuration: configuration) { client -> Int64? in
            let response = try await client.execute(
                HTTPClientRequest(url: origin + "/emulator/1/clock"), timeout: .seconds(10))
            guard response.status == .ok else { return nil }
            let body = try await response.body.collect(upTo: 4096)
            return try JSONParser.parse(Array(body.readableBytesView)).object?["now"]?.integer
        }
        guard let now = now.flatMap(\.self) else { return .zero }
        return max(.zero, Timestamp(milliseconds: now) - .now())
    }

    /// Streams a file from the server to `sink`.
    ///
    /// - Throws: ``Complaint`` with the server's reason, also for a broken download.
    func download(_ path: String, to sink: some ByteSink) async throws {
        var request = HTTPClientRequest(url: origin + "/admin/1/" + path)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        var sink = sink
        do {
            try await HTTPClient.withHTTPClient(configuration: Self.configuration) { client in
                let response = try await client.execute(request, timeout: Self.longestDownload)
                guard response.status == .ok else {
                    let body = try await response.body.collect(upTo: Self.largestResponse)
                    throw refusal(response.status, Answer(body: body, tag: nil))
                }
                for try await piece in response.body { try await sink.write(piece) }
            }
        } catch let error as HTTPClientError {
            throw Unreachable.complaint(error, at: origin)
        } catch let error as NIOConnectionError {
            throw Unreachable.complaint(error, at: origin)
        }
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> (HTTPResponseStatus, Answer) {
        do {
            return try await HTTPClient.withHTTPClient(configuration: Self.configuration) { client in
                let response = try await client.execute(request, timeout: Self.longest)
                let tag = response.headers.first(name: "ETag")?.replacing("\"", with: "")
                return (
                    response.status, Answer(body: try await response.body.collect(upTo: Self.largestResponse), tag: tag)
                )
            }
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
    }

    /// A short connect timeout for absent servers; no redirects, so that the token reaches only its intended server.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private func refusal(_ status: HTTPResponseStatus, _ answer: Answer) -> Complaint {
        Complaint(answer.json.object?["reason"]?.string.map(PlainText.line) ?? "\(origin) answers \(status)")
    }

    func understood<T>(_ value: T?) throws -> T {
        guard let value else { throw Complaint("\(origin) is not a Cumulus server") }
        return value
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "\0"..."\u{7F}"))
                .union(.init(charactersIn: "-._~"))) ?? ""
    }
}
