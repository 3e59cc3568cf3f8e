import CloudAccounts
package import CloudHTTP
import CloudIdentity
import CloudModel

/// `POST /auth/with/{name}/notices`: Apple tells that something changed about a person's account.
package struct ProviderNotices: Sendable {
    /// The body limit in bytes.
    package static let largestBody = 64 << 10

    private let service: WireService
    private let request: Request
    private let context: CloudRequestContext

    package init(_ request: Request, _ context: CloudRequestContext, _ service: WireService) {
        (self.request, self.context, self.service) = (request, context, service)
    }

    /// - Parameter name: the provider's name.
    /// - Throws: `NOT_FOUND` for a provider that is not Apple, `AUTHENTICATION_FAILED` for a notice that Apple has not signed.
    package func respond(provider name: String) async throws -> Response {
        guard let provider = try await service.accounts.providers.find(name: name), provider.kind == .apple else {
            throw ServerError(.notFound, "there is no provider of this name that sends notices", .missing(.provider))
        }
        let client = service.http.client(of: request, context)
        let attempt = GuessingLimits.Attempt(guess: .identityToken, client: client)
        if let seconds = service.guessing.secondsToWait(attempt) {
            throw ServerError(
                .throttled, "too many refused notices",
                .limit(service.guessing.perAddress, "signIn.attemptsPerAddress"), retryAfter: seconds)
        }
        let ticket = try service.bounds.requests.ticket(for: service.bounds.address(of: request, context))
        context.exchange?.hold(ticket)
        defer { ticket.releaseBytes() }
        let bytes = try await request.collect(atMost: Self.largestBody, counting: ticket)
        let body = try Request.object(in: bytes, mostValues: service.http.limits.requestValues)
        let payload = try ExchangeRequest.text("payload", in: body, atMost: SignedToken.longest)
        let notice: AppleNotice
        do { notice = try await checked(payload, provider) } catch let error as ServerError {
            if case .credentials(.provider(let reason)) = error.cause {
                service.security.note(.providerRefused, from: client, ["provider": provider.name, "reason": reason])
            }
            throw error
        }
        service.guessing.giveBack(attempt)
        try await take(notice, provider, client)
        var json = JSONWriter()
        json.object { _ in }
        return Response.json(json)
    }

    private func checked(_ payload: String, _ provider: SignInProvider) async throws -> AppleNotice {
        let clients = [provider.clientID] + provider.nativeAudiences
        do {
            return try await service.providers.checking(of: provider) { [now = service.accounts.now()] keys in
                try AppleNotice(payload, clients: clients, keys: keys, now: now)
            }
        } catch let fault as TokenFault {
            throw ServerError(
                .authenticationFailed, "payload: \(known: fault.rawValue)",
                .credentials(.provider(reason: "of a notice, \(fault.rawValue)")))
        } catch let fault as ProviderFault {
            throw ServerError(
                .tryAgainLater, "the provider's keys cannot be fetched at the moment",
                .credentials(.provider(reason: fault.reason)), retryAfter: 60)
        }
    }

    /// Does what the notice asks for. Operators find an ended connection in the security log and the audit log.
    private func take(_ notice: AppleNotice, _ provider: SignInProvider, _ client: ClientAddress?) async throws {
        let outcome = try await service.accounts.identities.take(notice, issuer: provider.issuer)
        guard outcome != .repeated else { return }
        var account: UserAccount?
        if case .done(let found) = outcome { account = found }
        if let account { try await service.takeWithdrawnRoles(of: account.id) }
        service.security.note(
            .providerNotice, from: client,
            [
                "provider": provider.name, "kind": notice.kind.rawValue,
                "account": account?.handle ?? "none",
            ])
        let actions: [AppleNotice.Kind: String] = [
            .consentRevoked: "ended the consent to sign in here",
            .accountDeleted: "deleted the account at the provider",
        ]
        guard let account, let action = actions[notice.kind] else { return }
        try await service.accounts.audit.note(
            AuditNote(who: "provider \(provider.name)", action: action, person: account.handle, subject: provider.name))
    }
}
