public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Uses Foundation's HTTP client, which is available on all Swift platforms, so the package needs no dependency.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let streams = StreamDelegate()
    private let streaming: URLSession
    private let transfers = TransferDelegate()
    private let transferring: URLSession

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 32
        session = URLSession(configuration: configuration, delegate: LostConnections(), delegateQueue: nil)
        streaming = URLSession(configuration: configuration, delegate: streams, delegateQueue: nil)
        transferring = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
        streaming.invalidateAndCancel()
        transferring.finishTasksAndInvalidate()
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        do {
            let (data, response) = try await session.data(for: Self.native(request))
            guard let response = response as? HTTPURLResponse else {
                throw TransportFailure.answerLost("The answer was not HTTP.")
            }
            return HTTPAnswer(status: response.statusCode, headers: Self.headers(response), body: data)
        } catch let error as URLError {
            guard error.code == .cancelled, !Task.isCancelled else { throw Self.failure(error) }
            throw TransportFailure.answerLost("The connection was closed before the answer.")
        }
    }

    public func stream(
        _ request: HTTPRequest
    ) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>) {
        let task = streaming.dataTask(with: Self.native(request))
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        source.onTermination = { _ in task.cancel() }
        let status = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                streams.start(task, StreamDelegate.Reader(head: continuation, chunks: source))
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return (status, chunks)
    }

    public func upload(
        _ request: HTTPRequest, from file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer {
        let task = transferring.uploadTask(with: Self.native(request), fromFile: file)
        return try await transfers.run(task, TransferDelegate.Transfer(progress: progress))
    }

    public func download(
        _ request: HTTPRequest, to file: URL, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> HTTPAnswer {
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let task = transferring.dataTask(with: Self.native(request))
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        return try await transfers.run(task, TransferDelegate.Transfer(file: handle, progress: progress))
    }

    private static func native(_ request: HTTPRequest) -> URLRequest {
        var native = URLRequest(url: request.url)
        native.httpMethod = request.method
        native.timeoutInterval = request.timeout / .seconds(1)
        for (name, value) in request.headers { native.setValue(value, forHTTPHeaderField: name) }
        native.httpBody = request.body
        return native
    }

    static func headers(_ response: HTTPURLResponse) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return headers
    }

    static func failure(_ error: URLError) -> any Error {
        switch error.code {
        case .cancelled: CancellationError()
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed, .serverCertificateUntrusted, .badURL, .unsupportedURL:
            TransportFailure.notConnected(error.localizedDescription)
        default: TransportFailure.answerLost(error.localizedDescription)
        }
    }
}

/// Cancels a request whose connection closed before the answer. On Linux, URLSession would resend it unasked and wait for the
/// body until the request's timeout.
private final class LostConnections: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // Cancel asynchronously: this callback runs on the task's own queue.
        DispatchQueue.global().async { task.cancel() }
        completionHandler(nil)
    }
}

/// Passes received data to the stream's reader.
private final class StreamDelegate: NSObject, URLSessionDataDelegate {
    struct Reader {
        var head: CheckedContinuation<Int, any Error>?
        let chunks: AsyncThrowingStream<Data, any Error>.Continuation
    }

    private let readers = Mutex<[Int: Reader]>([:])

    func start(_ task: URLSessionTask, _ reader: Reader) {
        readers.withLock { $0[task.taskIdentifier] = reader }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let head = readers.withLock { readers in
            let head = readers[dataTask.taskIdentifier]?.head
            readers[dataTask.taskIdentifier]?.head = nil
            return head
        }
        head?.resume(returning: (response as? HTTPURLResponse)?.statusCode ?? 0)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        _ = readers.withLock { $0[dataTask.taskIdentifier] }?.chunks.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let reader = readers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let failure: (any Error)? = error.map { ($0 as? URLError).map(URLSessionTransport.failure) ?? $0 }
        reader.head?.resume(throwing: failure ?? TransportFailure.answerLost("The answer had no head."))
        reader.chunks.finish(throwing: failure)
    }
}
