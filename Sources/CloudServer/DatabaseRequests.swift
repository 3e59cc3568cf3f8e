import CloudModel
import CloudStore
import NIOCore

/// The entry of requests to a container. The head settles who asks; only then does the server take the body.
extension Responder {
    /// Answers a call of a database's endpoint.
    func respond(
        _ request: Request, _ context: Context, _ place: RequestPlace, _ scope: DatabaseScope,
        _ endpoint: @escaping Endpoint
    ) async throws -> Response {
        try await enter(request, context, place, scope) { call in
            if let user = call.identity.caller.userRecordName { try await call.store.ensureUser(user) }
            return try await endpoint(call)
        }
    }

    /// Lets a request in, and makes an answer of what it writes.
    ///
    /// - Throws: what ``Authenticator/identify(_:)`` throws, before the body is read; `QUOTA_EXCEEDED` for a body over
    ///   its limit, `THROTTLED` and `TRY_AGAIN_LATER` when too much is in flight, or too much has come of late; what `body` throws.
    func enter(
        _ request: Request, _ context: Context, _ place: RequestPlace, _ scope: DatabaseScope,
        _ body: @escaping @Sendable (DatabaseCall) async throws -> JSONWriter
    ) async throws -> Response {
        let address = bounds.address(of: request, context)
        let ticket = try bounds.requests.ticket(for: address)
        context.exchange?.hold(ticket)
        defer { ticket.releaseBytes() }
        let query = request.parameters
        let claim = try await authenticator.identify(
            CredentialedRequest(
                container: place.container, environment: place.environment, scope: scope, query: query,
                headers: request.headers, target: request.head.path ?? ""))
        let trace = context.trace
        trace.note(claim, of: scope)
        if let caller = claim.callerName { try ticket.count(for: caller) }
        let (identity, object) = try await take(request, claim, ticket, trace)
        let watch = LintWatch(configuration, identity, scope, query, object, context)
        do {
            try rates.count(identity)
            let caller = identity.callerName ?? address
            let allowance = bounds.allowance(for: caller)
            context.exchange?.hold(allowance)
            let links = links.links(
                container: identity.container.name, environment: place.environment, origin: origin(of: request))
            let push = pushContext(of: request)
            return try await faulted(request, identity, object, context) { fault in
                let store = try await stores.store(container: identity.container, environment: place.environment)
                let call = DatabaseCall(
                    identity: identity, scope: scope, body: object, options: query, accounts: accounts, store: store,
                    limits: configuration.limits, links: links, push: push, allowance: allowance, trace: trace,
                    fault: fault)
                let writer = try await bounds.reading(as: caller, context) { try await body(call) }
                if !writer.refusals.isEmpty, trace.notes.failed == 0 {
                    trace.note(writer.refusals.enumerated().map(OperationRecord.init))
                }
                if fault?.isUnheard != true { watch?.note(writer) }
                // Who has proved nothing is answered nothing secret: whoever hears the length may ask as well.
                var response = Response.json(
                    writer, counting: allowance, isPacked: claim.isAnonymous && Gzip.isTaken(by: request))
                response.headers[.webAuthToken] = identity.rotatedToken
                return response
            }
        } catch {
            watch?.note(error)
            throw error
        }
    }

    /// Takes the body, as much of it as the caller may send, and holds the signature to it.
    private func take(
        _ request: Request, _ claim: Authenticator.Claim, _ ticket: RequestsInFlight.Ticket,
        _ trace: RequestTrace
    ) async throws -> (Identity, JSONObject) {
        let limits = configuration.limits
        let isAnonymous = claim.isAnonymous && limits.anonymousRequestBytes < limits.requestBytes
        let bytes = try await request.collect(
            atMost: isAnonymous ? limits.anonymousRequestBytes : limits.requestBytes,
            setting: isAnonymous ? "limit.anonymousRequestBytes" : "limit.requestBytes", counting: ticket)
        trace.note(bytesIn: bytes.readableBytes)
        if configuration.dev { trace.note(body: Array(bytes.readableBytesView)) }
        return (try claim.identity(for: bytes), try Self.object(in: bytes, mostValues: limits.requestValues))
    }
}
