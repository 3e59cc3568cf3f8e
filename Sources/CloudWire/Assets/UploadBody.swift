package import CloudHTTP
import CloudModel
package import NIOCore

/// The bytes of an upload: the raw body, or the file within a form.
package struct UploadBody: AsyncSequence, Sendable {
    package let body: RequestBody
    /// The request's Content-Length.
    let announced: Int?
    package let part: SinglePart?
    /// Counts received bytes; nil for no limit.
    package let trial: RefusedUploads.Trial?

    package init(_ request: Request, counting trial: RefusedUploads.Trial?) {
        self.trial = trial
        body = request.body
        announced = request.headers[.contentLength].flatMap { Int($0) }
        part = SinglePart(contentType: request.headers[.contentType])
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: body.makeAsyncIterator(), announced: announced, part: part, trial: trial)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        package var iterator: RequestBody.AsyncIterator
        let announced: Int?
        package var part: SinglePart?
        package let trial: RefusedUploads.Trial?
        package var received = 0

        package init(
            iterator: RequestBody.AsyncIterator, announced: Int?, part: SinglePart? = nil, trial: RefusedUploads.Trial?,
            received: Int = 0
        ) {
            self.iterator = iterator
            self.announced = announced
            self.part = part
            self.trial = trial
            self.received = received
        }

        package mutating func next() async throws -> ByteBuffer? {
            while let chunk = try await chunk() {
                received += chunk.readableBytes
                try trial?.take(chunk.readableBytes)
                guard part != nil else { return chunk }
                if let content = try part?.take(chunk), content.readableBytes > 0 { return content }
            }
            // NIO ends the body without an error when the connection ends.
            guard announced.map({ $0 == received }) ?? true else { throw CancellationError() }
            guard part?.isWhole ?? true else { throw SinglePart.Fault(reason: "the last boundary is missing") }
            return nil
        }

        private mutating func chunk() async throws -> ByteBuffer? {
            do { return try await iterator.next() } catch is IOError { throw CancellationError() }
        }
    }
}
