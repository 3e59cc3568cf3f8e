import CloudAccounts
import CloudModel

/// The reason why a web auth token is rejected. The text addresses app developers.
struct WebTokenFault {
    let cause: CredentialsFault
    let text: Reason

    /// - Parameter apiToken: the row id of the request's API token.
    init(_ token: String, _ request: CredentialedRequest, apiToken: Int64, _ reader: AccountReader) async throws {
        (cause, text) = try await Self.find(token, request, apiToken: apiToken, reader)
    }

    private static func find(
        _ token: String, _ request: CredentialedRequest, apiToken: Int64, _ reader: AccountReader
    ) async throws -> (CredentialsFault, Reason) {
        guard token.wholeMatch(of: #/1__1__[A-Za-z0-9+\/]{64}/#) != nil else {
            return (
                .malformedSession,
                "ckWebAuthToken is malformed: it is '1__1__' and 64 characters of base64, as it was handed out"
            )
        }
        guard let trace = try await reader.sessionTrace(token) else {
            return (
                .unknownSession,
                "ckWebAuthToken is not known: it was revoked, expired more than a day ago, or is of another server"
            )
        }
        if trace.hasExpired { return (.expiredSession, "ckWebAuthToken has expired; sign in again") }
        if trace.container != request.container {
            return (
                .sessionOfAnotherContainer, "ckWebAuthToken is of another container, '\(known: trace.container)'"
            )
        }
        if trace.environment != request.environment {
            return (
                .sessionOfAnotherEnvironment,
                "ckWebAuthToken is of another environment, \(known: trace.environment.rawValue)"
            )
        }
        if trace.isDisabled { return (.disabledUser, "the user of ckWebAuthToken is disabled") }
        if let known = trace.apiToken, known != apiToken {
            return (.sessionOfAnotherToken, "ckWebAuthToken belongs to another API token")
        }
        return (.unknownSession, "ckWebAuthToken is not good for this request")
    }
}
