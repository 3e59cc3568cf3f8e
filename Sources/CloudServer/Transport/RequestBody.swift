import CloudModel
import HTTPTypes
package import Hummingbird
package import NIOCore

extension Request {
    /// The whole body.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - setting: that the limit comes from, named in the refusal; nil for one that is known.
    /// - Throws: `QUOTA_EXCEEDED` as soon as it is known to be larger.
    package func collect(atMost limit: Int, setting: String? = nil) async throws -> ByteBuffer {
        let refusal = ServerError(
            .quotaExceeded,
            "request body is too large, at most \(limit) bytes are allowed" + (setting.map { " (\($0))" } ?? ""))
        let announced = headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit { throw refusal }
        do {
            let body = try await body.collect(upTo: limit)
            // A connection that ended looks like a body that did.
            guard announced.map({ $0 == body.readableBytes }) ?? true else { throw CancellationError() }
            return body
        } catch is NIOTooManyBytesError {
            throw refusal
        } catch is IOError {
            throw CancellationError()
        }
    }
}
