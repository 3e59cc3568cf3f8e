import CloudAccounts
import CloudHTTP
import CloudModel

/// Authenticates callers by management token.
struct ManagementGate: Sendable {
    let accounts: AccountStore
    let guessing: GuessingLimits

    private static let scheme = "bearer "

    /// The caller's management token; scopes and containers are not checked here.
    ///
    /// - Parameter client: the address that wrong tokens count against.
    /// - Throws: `AUTHENTICATION_FAILED` for a missing or wrong token, `THROTTLED` after too many wrong tokens.
    func token(_ headers: HTTPFields, from client: ClientAddress?) async throws -> ManagementToken {
        guard let header = headers[.authorization], header.lowercased().hasPrefix(Self.scheme) else {
            throw ServerError(
                .authenticationFailed,
                "the header Authorization is missing; it must be 'Bearer' and a management token",
                .credentials(.noManagementToken))
        }
        let attempt = GuessingLimits.Attempt(guess: .managementToken, client: client)
        if let seconds = guessing.secondsToWait(attempt) {
            throw ServerError(
                .throttled, "too many wrong management tokens",
                .limit(guessing.perAddress, "signIn.attemptsPerAddress"), retryAfter: seconds)
        }
        let text = header.dropFirst(Self.scheme.count).trimmingPrefix { $0 == " " }
        guard let token = try await accounts.managementTokens.find(String(text)) else {
            throw ServerError(
                .authenticationFailed, "the management token is not known, or has expired",
                .credentials(.unknownManagementToken))
        }
        guessing.giveBack(attempt)
        return token
    }
}
