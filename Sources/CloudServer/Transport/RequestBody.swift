import CloudModel
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
            // A connection that ended looks like a body that did.
            guard announced.map({ $0 == body.readableBytes }) ?? true else { throw CancellationError() }
            return body
        } catch is IOError {
            throw CancellationError()
        }
    }

    /// The same for a body that has come whole.
    func collect(
        _ whole: ByteBuffer, atMost limit: Int, setting: StaticString?, counting ticket: RequestsInFlight.Ticket?
    ) throws -> ByteBuffer {
        let (limit, setting, announced) = try bound(limit, setting, ticket)
        let count = whole.readableBytes
        guard count <= limit else { throw Self.tooLarge(limit, setting) }
        if count > 0 { try ticket?.take(count, areFirst: count <= Self.first) }
        guard announced.map({ $0 == count }) ?? true else { throw CancellationError() }
        return whole
    }

    /// The limit of the body with its setting, and the bytes that the head announces.
    private func bound(
        _ limit: Int, _ setting: StaticString?, _ ticket: RequestsInFlight.Ticket?
    ) throws(ServerError) -> (limit: Int, setting: StaticString?, announced: Int?) {
        let announced = headers[.contentLength].flatMap { Int($0) }
        var (limit, setting) = (limit, setting)
        if let largest = ticket?.largestBody, largest.bytes < limit { (limit, setting) = largest }
        if let announced, announced > limit { throw Self.tooLarge(limit, setting) }
        return (limit, setting, announced)
    }

    /// Bytes of a body that go on while large bodies are refused.
    private static let first = 64 << 10
    /// Bytes of a body that count as they come.
    private static let mostUnreserved = 256 << 10

    /// Bytes to count for a body of which so many have come. A large one counts for twice what has come, up to what is
    /// announced: of large bodies that come at once some are taken whole, where otherwise each would take a part and none
    /// be finished, and none holds much more than it has sent.
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
