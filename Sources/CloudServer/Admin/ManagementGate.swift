import CloudModel
import CloudStore
import HTTPTypes

/// Lets in who has a management token for a container.
struct ManagementGate: Sendable {
    let accounts: AccountStore
    let guessing: GuessingLimits

    private static let scheme = "bearer "

    /// The container, for a caller whose token is good for it, and that token.
    ///
    /// - Parameter client: whom wrong tokens are counted against.
    /// - Throws: `AUTHENTICATION_FAILED` without a token or with a wrong one, `THROTTLED` after too many of those,
    ///   `ACCESS_DENIED` for the token of another container, `NOT_FOUND` for a container that does not exist.
    func container(_ name: String, _ headers: HTTPFields, from client: ClientAddress?) async throws -> (
        container: Container, token: ManagementToken
    ) {
        guard let header = headers[.authorization], header.lowercased().hasPrefix(Self.scheme) else {
            throw ServerError(
                .authenticationFailed,
                "the header Authorization is missing; it must be 'Bearer' and a management token")
        }
        let attempt = GuessingLimits.Attempt(guess: .managementToken, client: client)
        if let seconds = guessing.secondsToWait(attempt) {
            throw ServerError(.throttled, "too many wrong management tokens", retryAfter: seconds)
        }
        let text = header.dropFirst(Self.scheme.count).trimmingPrefix { $0 == " " }
        guard let token = try await accounts.managementToken(String(text)) else {
            throw ServerError(.authenticationFailed, "the management token is not known, or has expired")
        }
        guessing.giveBack(attempt)
        guard token.container == nil || token.container == name else {
            throw ServerError(.accessDenied, "this management token is for another container")
        }
        guard let container = try accounts.reader().container(named: name) else {
            throw ServerError(.notFound, "container '\(Naming.shown(name))' does not exist")
        }
        return (container, token)
    }
}
