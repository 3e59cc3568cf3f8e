import CloudModel
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - setting: that the limit comes from, named in the refusal; nil for one that is known.
    ///   - ticket: that the bytes are counted by, as they come.
    /// - Throws: `QUOTA_EXCEEDED` as soon as it is known to be larger; what the ticket throws.
    func collect(
        atMost limit: Int, setting: StaticString? = nil, counting ticket: RequestsInFlight.Ticket? = nil
    ) async throws -> ByteBuffer {
        let announced = headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit { throw Self.tooLarge(limit, setting) }
        do {
            var body = ByteBuffer()
            var counted = 0
            for try await part in self.body {
                let come = body.readableBytes + part.readableBytes
                guard come <= limit else { throw Self.tooLarge(limit, setting) }
                let needed = come > Self.mostUnreserved ? max(come, announced ?? come) : come
                if needed > counted { try ticket?.take(needed - counted) }
                if needed > come, counted < needed { body.reserveCapacity(needed) }
                counted = max(counted, needed)
                if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
            }
            // A connection that ended looks like a body that did.
            guard announced.map({ $0 == body.readableBytes }) ?? true else { throw CancellationError() }
            return body
        } catch is IOError {
            throw CancellationError()
        }
    }

    /// Bytes of a body that count as they come. Past them all that is announced counts: of large bodies that come at once
    /// the first are taken whole, where otherwise each would take a part and none be finished.
    private static let mostUnreserved = 256 << 10

    private static func tooLarge(_ limit: Int, _ setting: StaticString?) -> ServerError {
        ServerError(
            .quotaExceeded,
            "request body is too large, at most \(limit) bytes are allowed" + (setting.map { " (\(known: $0))" } ?? ""),
            .limit(limit, setting))
    }
}
