package import CloudHTTP
package import CloudModel
import NIOCore

/// Admits a request to a container's database. Authenticates by the head before it reads the body.
///
/// Data in memory is used synchronously on the caller's thread, which may be an event loop. The first step that must
/// wait moves the rest into a task. A class, since each part of the call refers to it.
package final class DatabaseEntry: Sendable {
    package let request: Request
    package let context: CloudRequestContext
    package let place: RequestPlace
    package let scope: DatabaseScope
    package let responder: WireService
    package let makesUser: Bool

    package var query: QueryString { request.parameters }

    /// - Parameter makesUser: true to create the caller's user record if missing.
    package init(
        _ request: Request, _ context: CloudRequestContext, _ place: RequestPlace, _ scope: DatabaseScope,
        _ responder: WireService, makesUser: Bool = true
    ) {
        self.request = request
        self.context = context
        self.place = place
        self.scope = scope
        self.responder = responder
        self.makesUser = makesUser
    }

    /// Largest body parsed on the caller's thread, in bytes.
    private static let mostAtOnce = 16 << 10

    /// Admits the request and answers by the endpoint.
    ///
    /// - Throws: errors of ``Authenticator/identify(_:)`` before the body is read; `QUOTA_EXCEEDED` for a body over its
    ///   limit; `THROTTLED` and `TRY_AGAIN_LATER` for too much in flight or over a rate; errors of the endpoint.
    package func reply(_ endpoint: DatabaseEndpoint) throws -> Reply {
        let address = responder.bounds.address(of: request, context)
        let ticket = try responder.bounds.requests.ticket(for: address)
        context.exchange?.hold(ticket)
        do {
            switch try identified(endpoint, ticket, address) {
            case .now(let response):
                ticket.releaseBytes()
                return .now(response)
            case .started(let work): return .started(work.beforeAnswer { ticket.releaseBytes() })
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
        let credentials = CredentialedRequest(request, place, scope)
        if let claim = try responder.authenticator.claimAtHand(credentials) {
            return try admitted(claim, endpoint, ticket, address)
        }
        return .work { [self] in
            try admitted(
                try await responder.authenticator.identify(credentials), endpoint, ticket, address)
        }
    }

    /// Reads the body, up to the caller's limit.
    private func admitted(
        _ claim: Authenticator.Claim, _ endpoint: DatabaseEndpoint, _ ticket: RequestsInFlight.Ticket,
        _ address: String
    ) throws -> Reply {
        context.trace.note(claim, of: scope)
        if let caller = claim.callerName { try ticket.count(for: caller) }
        let limits = responder.http.limits
        let isAnonymous = claim.isAnonymous && limits.anonymousRequestBytes < limits.requestBytes
        let most = isAnonymous ? limits.anonymousRequestBytes : limits.requestBytes
        let setting: StaticString = isAnonymous ? "limit.anonymousRequestBytes" : "limit.requestBytes"
        if let whole = request.body.whole, whole.readableBytes <= Self.mostAtOnce {
            let bytes = try request.collect(whole, atMost: most, setting: setting, counting: ticket)
            return try called(claim, bytes, endpoint, address)
        }
        return .work { [self] in
            let bytes = try await request.collect(atMost: most, setting: setting, counting: ticket)
            return try called(claim, bytes, endpoint, address)
        }
    }

    /// Verifies a signature against the body, and parses the body.
    private func called(
        _ claim: Authenticator.Claim, _ bytes: ByteBuffer, _ endpoint: DatabaseEndpoint, _ address: String
    ) throws -> Reply {
        context.trace.note(bytesIn: bytes.readableBytes)
        if responder.http.dev { context.trace.note(body: Array(bytes.readableBytesView)) }
        let identity = try claim.identity(for: bytes)
        let body = try Request.object(in: bytes, mostValues: responder.http.limits.requestValues)
        let visit = DatabaseVisit(
            entry: self, identity: identity, body: body, caller: identity.callerName ?? address,
            isAnonymous: claim.isAnonymous,
            observer: responder.observer?.observer(of: identity, scope, request, body, context))
        return try visit.reply(endpoint)
    }
}
