import CloudModel
package import NIOCore

extension Request {
    /// Reads the whole body.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - setting: the setting behind the limit, named in the error; nil for a fixed limit.
    ///   - ticket: counts the bytes as they arrive.
    /// - Throws: `QUOTA_EXCEEDED` as soon as the body exceeds the limit, and errors of the ticket.
    package func collect(
        atMost limit: Int, setting: StaticString? = nil, counting ticket: RequestsInFlight.Ticket? = nil
    ) async throws -> ByteBuffer {
        if let whole = body.whole { return try collect(whole, atMost: limit, setting: setting, counting: ticket) }
        let (limit, setting, announced) = try bound(limit, setting, ticket)
        do {
            var body = ByteBuffer()
            var counted = 0
            for try await part in self.body {
                let come = body.readableBytes + part.readableBytes
                guard come <= limit else { throw Self.tooLarge(limit, setting) }
                if come > counted {
                    let needed = Self.room(for: come, of: announced)
                    try ticket?.take(needed - counted, areFirst: needed <= Self.first)
                    if needed > come { body.reserveCapacity(needed) }
                    counted = needed
                }
                if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
            }
            // NIO ends the body without an error when the connection ends.
            guard announced.map({ $0 == body.readableBytes }) ?? true else { throw CancellationError() }
            return body
        } catch is IOError {
            throw CancellationError()
        }
    }

    /// ``collect(atMost:setting:counting:)`` for a body that arrived in full.
    package func collect(
        _ whole: ByteBuffer, atMost limit: Int, setting: StaticString?, counting ticket: RequestsInFlight.Ticket?
    ) throws -> ByteBuffer {
        let (limit, setting, announced) = try bound(limit, setting, ticket)
        let count = whole.readableBytes
        guard count <= limit else { throw Self.tooLarge(limit, setting) }
        if count > 0 { try ticket?.take(count, areFirst: count <= Self.first) }
        guard announced.map({ $0 == count }) ?? true else { throw CancellationError() }
        return whole
    }

    /// The effective limit with its setting, and the Content-Length.
    private func bound(
        _ limit: Int, _ setting: StaticString?, _ ticket: RequestsInFlight.Ticket?
    ) throws(ServerError) -> (limit: Int, setting: StaticString?, announced: Int?) {
        let announced = headers[.contentLength].flatMap { Int($0) }
        var (limit, setting) = (limit, setting)
        if let largest = ticket?.largestBody, largest.bytes < limit { (limit, setting) = largest }
        if let announced, announced > limit { throw Self.tooLarge(limit, setting) }
        return (limit, setting, announced)
    }

    /// Body bytes that the server accepts while it refuses large bodies.
    private static let first = 64 << 10
    /// Body bytes counted as they arrive; larger bodies reserve ahead.
    private static let mostUnreserved = 256 << 10

    /// Bytes to count for a body of which `come` bytes have arrived. A large body reserves twice its received bytes, up to
    /// its Content-Length. Of several large bodies at once some then complete, instead of all failing halfway, and none
    /// reserves much more than it has sent.
    private static func room(for come: Int, of announced: Int?) -> Int {
        guard come > mostUnreserved, let announced else { return come }
        return max(come, min(announced, 2 * come))
    }

    private static func tooLarge(_ limit: Int, _ setting: StaticString?) -> ServerError {
        ServerError(
            .quotaExceeded,
            "request body is too large, at most \(limit) bytes are allowed" + (setting.map { " (\(known: $0))" } ?? ""),
            .limit(limit, setting))
    }
}
