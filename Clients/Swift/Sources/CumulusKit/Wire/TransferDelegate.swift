import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Transfers files and reports progress.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
    struct Transfer {
        /// Receives the body of a successful answer; nil collects the body in the answer.
        var file: FileHandle?
        let progress: @Sendable (Int64) -> Void
        var received: Int64 = 0
        var status = 0
        var headers: [String: String] = [:]
        var body = Data()
        /// The first write error.
        var failure: (any Error)?
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?

        init(file: FileHandle? = nil, progress: @escaping @Sendable (Int64) -> Void) {
            self.file = file
            self.progress = progress
        }
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    /// Runs a task until its answer is complete.
    func run(_ task: URLSessionTask, _ transfer: sending Transfer) async throws -> HTTPAnswer {
        let id = task.taskIdentifier
        transfers.withLock { $0[id] = transfer }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfers.withLock { $0[id]?.continuation = continuation }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let progress = transfers.withLock {
            $0[task.taskIdentifier]?.file == nil ? $0[task.taskIdentifier]?.progress : nil
        }
        progress?(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            transfers.withLock { transfers in
                transfers[dataTask.taskIdentifier]?.status = response.statusCode
                transfers[dataTask.taskIdentifier]?.headers = URLSessionTransport.headers(response)
            }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let told = transfers.withLock { transfers -> (progress: @Sendable (Int64) -> Void, received: Int64)? in
            guard var transfer = transfers[id] else { return nil }
            defer { transfers[id] = transfer }
            guard let file = transfer.file, 200..<300 ~= transfer.status else {
                transfer.body.append(data)
                return nil
            }
            do {
                // A synchronous write before further reads, so that a slow disk slows the connection.
                try file.write(contentsOf: data)
            } catch {
                transfer.failure = transfer.failure ?? error
                return nil
            }
            transfer.received += Int64(data.count)
            return (transfer.progress, transfer.received)
        }
        if let told { told.progress(told.received) } else if hasFailed(id) { dataTask.cancel() }
    }

    private func hasFailed(_ id: Int) -> Bool { transfers.withLock { $0[id]?.failure != nil } }

    /// Cancels the task: on Linux, URLSession would resend the body after a lost connection.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        DispatchQueue.global().async { task.cancel() }
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = transfers.withLock { transfers in
            let transfer = transfers.removeValue(forKey: task.taskIdentifier)
            return transfer.map { (continuation: $0.continuation, result: Self.result(of: $0, error)) }
        }
        ended?.continuation?.resume(with: ended?.result ?? .failure(CancellationError()))
    }

    private static func result(of transfer: Transfer, _ error: (any Error)?) -> Result<HTTPAnswer, any Error> {
        if let failure = transfer.failure { return .failure(failure) }
        if let error { return .failure((error as? URLError).map(URLSessionTransport.failure) ?? error) }
        return .success(HTTPAnswer(status: transfer.status, headers: transfer.headers, body: transfer.body))
    }
}
