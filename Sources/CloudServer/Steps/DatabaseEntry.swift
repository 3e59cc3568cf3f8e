import CloudModel
import CloudStore
import NIOCore

/// The way of a request into a container's database. The head settles who asks; only then does the server take the body.
///
/// What is in memory is used at once, on the caller's thread, which may be an event loop. The first step that has to wait
/// takes the rest of the way to a task.
struct DatabaseEntry: Sendable {
    let request: Request
    let context: CloudRequestContext
    let place: RequestPlace
    let scope: DatabaseScope
    let responder: Responder
    let makesUser: Bool

    var query: QueryString { request.parameters }

    /// - Parameter makesUser: whether the caller's user record is made where it is not there.
    init(
        _ request: Request, _ context: CloudRequestContext, _ place: RequestPlace, _ scope: DatabaseScope,
        _ responder: Responder, makesUser: Bool = true
    ) {
        self.request = request
        self.context = context
        self.place = place
        self.scope = scope
        self.responder = responder
        self.makesUser = makesUser
    }

    /// Bytes of a body that is parsed where it came.
    private static let mostAtOnce = 16 << 10

    /// Lets the request in, and makes an answer of what the endpoint writes.
    ///
    /// - Throws: what ``Authenticator/identify(_:)`` throws, before the body is read; `QUOTA_EXCEEDED` for a body over
    ///   its limit, `THROTTLED` and `TRY_AGAIN_LATER` when too much is in flight, or too much has come of late; what the
    ///   endpoint throws.
    func reply(_ endpoint: DatabaseEndpoint) throws -> Reply {
        let address = responder.bounds.address(of: request, context)
        let ticket = try responder.bounds.requests.ticket(for: address)
        context.exchange?.hold(ticket)
        do {
            switch try identified(endpoint, ticket, address) {
            case .now(let response):
                ticket.releaseBytes()
                return .now(response)
            case let reply:
                return .work {
                    defer { ticket.releaseBytes() }
                    return .now(try await reply.response())
                }
            }
        } catch {
            ticket.releaseBytes()
            throw error
        }
    }

    private func identified(
        _ endpoint: DatabaseEndpoint, _ ticket: RequestsInFlight.Ticket, _ address: String
    ) throws -> Reply {
        let credentials = CredentialedRequest(
            container: place.container, environment: place.environment, scope: scope, query: query,
            headers: request.headers, target: request.head.path ?? "")
        if let claim = try responder.authenticator.claimAtHand(credentials) {
            return try admitted(claim, endpoint, ticket, address)
        }
        return .work {
            try admitted(
                try await responder.authenticator.identify(credentials), endpoint, ticket, address)
        }
    }

    /// Takes the body, as much of it as the caller may send.
    private func admitted(
        _ claim: Authenticator.Claim, _ endpoint: DatabaseEndpoint, _ ticket: RequestsInFlight.Ticket,
        _ address: String
    ) throws -> Reply {
        context.trace.note(claim, of: scope)
        if let caller = claim.callerName { try ticket.count(for: caller) }
        let limits = responder.configuration.limits
        let isAnonymous = claim.isAnonymous && limits.anonymousRequestBytes < limits.requestBytes
        let most = isAnonymous ? limits.anonymousRequestBytes : limits.requestBytes
        let setting: StaticString = isAnonymous ? "limit.anonymousRequestBytes" : "limit.requestBytes"
        if let whole = request.body.whole, whole.readableBytes <= Self.mostAtOnce {
            let bytes = try request.collect(whole, atMost: most, setting: setting, counting: ticket)
            return try called(claim, bytes, endpoint, address)
        }
        return .work {
            let bytes = try await request.collect(atMost: most, setting: setting, counting: ticket)
            return try called(claim, bytes, endpoint, address)
        }
    }

    /// Holds a signature to the body, and reads the body.
    private func called(
        _ claim: Authenticator.Claim, _ bytes: ByteBuffer, _ endpoint: DatabaseEndpoint, _ address: String
    ) throws -> Reply {
        context.trace.note(bytesIn: bytes.readableBytes)
        if responder.configuration.dev { context.trace.note(body: Array(bytes.readableBytesView)) }
        let identity = try claim.identity(for: bytes)
        let body = try Responder.object(in: bytes, mostValues: responder.configuration.limits.requestValues)
        let visit = DatabaseVisit(
            entry: self, identity: identity, body: body, caller: identity.callerName ?? address,
            isAnonymous: claim.isAnonymous,
            watch: LintWatch(responder.configuration, identity, scope, query, body, context))
        return try visit.reply(endpoint)
    }
}
