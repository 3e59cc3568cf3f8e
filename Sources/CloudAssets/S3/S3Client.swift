import AsyncHTTPClient
import CloudModel
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Sends requests to a bucket, with retries for transient faults and a time limit for each.
struct S3Client: Sendable {
    /// Milliseconds before each attempt.
    var pauses = [0, 100, 400]
    /// Seconds until a client should retry.
    private static let retryAfter = 5

    // Shared by the process, since the client offers no point at which to shut it down.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        return HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }()

    let bucket: S3Bucket
    var checksums = S3Checksums(areSent: true)
    /// Base time limit of a request in seconds; each request adds time for its bytes.
    var patience: Double
    let logger: Logger
    /// Whether final failures are logged and counted.
    var isLogged = true
    let failures = S3Failures()
    /// Makes the error's reason for a final failure from the fault.
    var refusal: @Sendable (_ fault: String) -> String = { _ in "the asset store cannot be used at the moment" }

    private var signature: AWSSignature { AWSSignature(credentials: bucket.credentials, region: bucket.region) }

    /// Sends a request, with retries, until an acceptable answer arrives.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if the store is unreachable, fails, refuses or sends an unexpected answer.
    func send(_ request: S3Request) async throws -> S3Answer {
        var fault = ""
        for pause in pauses {
            try await Task.sleep(for: .milliseconds(pause))
            do {
                let answer = try await attempt(request)
                if request.accepts(answer) { return answer }
                fault = answer.fault
                guard answer.mayPass else { break }
            } catch {
                try Task.checkCancellation()
                fault = "\(error)"
            }
        }
        if isLogged {
            failures.note()
            logger.error(
                "the asset store fails",
                metadata: ["request": "\(request.method) \(request.key)", "fault": "\(fault)"])
        }
        throw ServerError(
            .tryAgainLater, "\(known: refusal(fault))", .server(.assetStore), retryAfter: Self.retryAfter)
    }

    /// A presigned download URL.
    func link(_ key: String, query: [(name: String, value: String)], seconds: Int) -> String {
        let path = bucket.path(of: key)
        let request = AWSSignature.Request(
            method: "GET", path: path, query: query, headers: [("host", bucket.host)])
        return "\(bucket.origin)\(path)?\(signature.presignedQuery(of: request, at: Date(), seconds: seconds))"
    }

    private func attempt(_ request: S3Request) async throws -> S3Answer {
        let prepared = prepare(request)
        let most = request.mostBytes
        // The HTTP client's deadline covers only the head of the answer.
        return try await withThrowingTaskGroup(of: S3Answer?.self) { group in
            group.addTask {
                let response = try await Self.http.execute(prepared, deadline: .distantFuture)
                return S3Answer(
                    status: Int(response.status.code), headers: response.headers,
                    body: try await response.body.collect(upTo: most))
            }
            group.addTask { [patience] in
                try await Task.sleep(for: .seconds(patience + request.seconds))
                return nil
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else { throw S3Answer.TooLate() }
            return answer
        }
    }

    private func prepare(_ request: S3Request) -> HTTPClientRequest {
        let (now, path) = (Date(), bucket.path(of: request.key))
        var headers = request.headers
        headers += [
            ("host", bucket.host), ("x-amz-date", AWSSignature.time(now)), ("x-amz-content-sha256", request.payload),
        ]
        if let token = bucket.credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let signed = AWSSignature.Request(
            method: request.method, path: path, query: request.query, headers: headers, payload: request.payload)
        let query = AWSSignature.text(request.query)
        var prepared = HTTPClientRequest(url: bucket.origin + path + (query.isEmpty ? "" : "?" + query))
        prepared.method = HTTPMethod(rawValue: request.method)
        prepared.headers = HTTPHeaders(headers.filter { $0.name != "host" })
        prepared.headers.add(name: "authorization", value: signature.authorization(of: signed, at: now))
        switch request.body {
        case .none: break
        case .bytes(let bytes): prepared.body = .bytes(bytes)
        case .file(let file, let range):
            prepared.body = .stream(file.bytes(in: range), length: .known(Int64(range.count)))
        }
        return prepared
    }
}

/// Counts requests that failed after all attempts.
final class S3Failures: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func note() { number.add(1, ordering: .relaxed) }
}
