package import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
package import Logging
import ServiceLifecycle

/// Revokes Apple's tokens of people who left, with further attempts while Apple cannot be reached.
///
/// The accounts' database holds the queue, for other servers and after restarts.
package struct TokenRevocations: Service {
    /// Attempts before a token is given up, in about three weeks.
    static let mostAttempts = 30
    /// Tokens in one turn.
    private static let mostAtOnce = 100
    private static let longestPause: Int64 = 86_400

    private let accounts: AccountStore
    private let providers: ProviderConnections
    private let interval: Duration
    private let logger: Logger

    package init(accounts: AccountStore, providers: ProviderConnections, interval: Duration, logger: Logger) {
        self.accounts = accounts
        self.providers = providers
        self.interval = interval
        self.logger = logger
    }

    package func run() async throws {
        let job = PeriodicJob(
            every: interval, after: .zero, failure: "tokens of providers could not be revoked", logger: logger)
        await cancelWhenGracefulShutdown {
            await job.run {
                guard try await accounts.jobs.isOurs("revocations") else { return }
                try await revokeDue()
            }
        }
    }

    /// Revokes the tokens that are due.
    package func revokeDue() async throws {
        for token in try await accounts.providers.identityTokens.due(atMost: Self.mostAtOnce) {
            try Task.checkCancellation()
            guard let reason = await fault(revoking: token) else {
                try await accounts.providers.identityTokens.forget(token)
                continue
            }
            let isLast = token.attempts + 1 >= Self.mostAttempts
            logger.warning(
                isLast ? "a token of a provider was never revoked" : "a token of a provider is to be revoked again",
                metadata: ["provider": "\(token.provider)", "error": "\(reason)"])
            if isLast {
                try await accounts.providers.identityTokens.forget(token)
            } else {
                try await accounts.providers.identityTokens.postpone(token, by: Self.pause(after: token.attempts))
            }
        }
    }

    /// A minute, doubled after each attempt, at most a day.
    static func pause(after attempts: Int) -> Duration { .seconds(min(60 << min(attempts, 12), longestPause)) }

    /// The reason why a token is still good; nil once it is not.
    private func fault(revoking token: DueToken) async -> String? {
        do {
            guard let provider = try await accounts.providers.find(name: token.provider), provider.kind == .apple else {
                return "there is no provider with a key for it"
            }
            try await providers.revoke(
                try await accounts.providers.identityTokens.text(of: token), client: token.client, of: provider)
            return nil
        } catch let fault as ProviderFault {
            return fault.reason
        } catch {
            return "the token could not be read"
        }
    }
}

extension ProviderConnections {
    /// Revokes a refresh token (Apple, "Revoke tokens"; RFC 7009). A token that is no longer good counts as revoked.
    func revoke(_ token: ProviderSecret, client: String, of provider: SignInProvider) async throws(ProviderFault) {
        guard let address = try await endpoints(of: provider).revocation else { throw .endpoint(.revocation) }
        let secret = try await clientSecret(of: provider, client: client)
        let fields = [
            ("client_id", client), ("client_secret", secret), ("token", token.text),
            ("token_type_hint", "refresh_token"),
        ]
        let form = fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
        let answer = try await post(form, to: address, of: provider)
        if answer.status == 200 { return }
        let error = (try? StrictJSON.object(answer.body))?["error"]?.string
        guard answer.status == 400, let error, ["invalid_grant", "invalid_token"].contains(error) else {
            throw .status(answer.status)
        }
    }
}
