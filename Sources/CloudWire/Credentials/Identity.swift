package import CloudAccounts
package import CloudHTTP
package import CloudModel

/// The authenticated sender of a request, with its container and environment. A class, since each part of a call refers to
/// it.
package final class Identity: Sendable {
    package let container: Container
    package let environment: ContainerEnvironment
    package let caller: Caller
    /// The web auth token for the answer's `X-Apple-CloudKit-Web-Auth-Token`: the presented token, which stays valid as
    /// long as its session (reference B §3.4).
    package let rotatedToken: String?

    /// The user or key that requests count against; nil for an anonymous caller.
    let callerName: String?
    /// The row id of the request's API token; nil for a server key.
    private let apiToken: Int64?

    package init(
        container: Container, environment: ContainerEnvironment, caller: Caller, apiToken: Int64?,
        rotatedToken: String? = nil
    ) {
        self.apiToken = apiToken
        callerName = caller.userRecordName.map { "\(container.id) \(environment.rawValue) \($0)" }
        self.container = container
        self.environment = environment
        self.caller = caller
        self.rotatedToken = rotatedToken
    }

    /// The API token or server key that requests count against. For a server key this is the key's caller name.
    package var credentialName: String {
        apiToken.map { "\(container.id) \(environment.rawValue) \($0)" } ?? callerName ?? ""
    }
}

extension Identity {
    /// Counts a request. A server key is an operator's program, so only the token limit applies.
    ///
    /// - Throws: `THROTTLED` when the user, or the token or key, has made too many.
    package func count(in rates: RateLimits) throws(ServerError) {
        let isServerKey = if case .serverKey = caller { true } else { false }
        try rates.count(user: isServerKey ? nil : callerName, credential: credentialName)
    }
}
