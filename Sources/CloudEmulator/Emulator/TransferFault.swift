package import CloudHTTP
package import CloudModel
package import NIOCore

/// A fault in the transferred bytes of a request or an answer.
package struct TransferFault: Hashable, Sendable {
    /// The rate of an upload and of the answer in bytes per second; nil for unlimited.
    var bandwidth: Int?
    /// The number of transferred bytes, of an upload or else the answer, after which the connection closes; nil for
    /// never.
    var cutAt: Int?

    package static let members = ["bandwidth", "cutAt"]
    /// Longer pauses make the transfer jerky, shorter pauses cost too much.
    private static let pause = Duration.milliseconds(50)

    /// Nil for an object with neither member.
    ///
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package init?(_ object: JSONObject) throws {
        bandwidth = try EmulatorMember.integer("bandwidth", of: object, in: 100...1_000_000_000)
        cutAt = try EmulatorMember.integer("cutAt", of: object, in: 0...Int(Int32.max))
        if bandwidth == nil, cutAt == nil { return nil }
    }

    package func write(to json: inout JSONWriter) {
        if let bandwidth { json.member("bandwidth", Int64(bandwidth)) }
        if let cutAt { json.member("cutAt", Int64(cutAt)) }
    }

    /// The upload with throttled or truncated bytes.
    package func upload(_ request: Request, _ channel: any Channel) -> Request {
        request.with(RequestBody(asyncSequence: Pieces(body: request.body, fault: self, channel: channel)))
    }

    /// The answer with throttled or truncated bytes.
    package func respond(_ response: Response, _ channel: any Channel) -> Response {
        var response = response
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(Writer(parent: writer, line: Line(fault: self), channel: channel))
        }
        return response
    }

    /// The progress of a transfer.
    private struct Line {
        let fault: TransferFault
        private var passed = 0

        init(fault: TransferFault) { self.fault = fault }

        /// The next piece of `bytes`, after a pause if the bandwidth is limited.
        ///
        /// - Throws: a `CancellationError` at the point where the connection closes.
        mutating func piece(of bytes: inout ByteBuffer) async throws -> ByteBuffer? {
            var size = bytes.readableBytes
            if let bandwidth = fault.bandwidth { size = min(size, max(1, bandwidth / 20)) }
            if let cutAt = fault.cutAt {
                guard passed < cutAt else { throw CancellationError() }
                size = min(size, cutAt - passed)
            }
            if fault.bandwidth != nil { try await Task.sleep(for: TransferFault.pause) }
            passed += size
            return bytes.readSlice(length: size)
        }
    }

    private struct Pieces: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        let body: RequestBody
        let fault: TransferFault
        let channel: any Channel

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(iterator: body.makeAsyncIterator(), line: Line(fault: fault), channel: channel)
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: RequestBody.AsyncIterator
            var line: Line
            let channel: any Channel
            var rest = ByteBuffer()

            mutating func next() async throws -> ByteBuffer? {
                while rest.readableBytes == 0 {
                    guard let next = try await iterator.next() else { return nil }
                    rest = next
                }
                do { return try await line.piece(of: &rest) } catch {
                    channel.close(promise: nil)
                    throw error
                }
            }
        }
    }

    private struct Writer: ResponseBodyWriter {
        var parent: any ResponseBodyWriter
        var line: Line
        let channel: any Channel

        mutating func write(_ buffer: ByteBuffer) async throws {
            var rest = buffer
            while rest.readableBytes > 0 {
                do {
                    guard let piece = try await line.piece(of: &rest) else { return }
                    try await parent.write(piece)
                } catch {
                    try? await channel.close()
                    throw error
                }
            }
        }

        mutating func finish() async throws { try await parent.finish() }
    }
}
