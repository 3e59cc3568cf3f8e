import CloudModel
import CloudStore

/// Says what is wrong with a web auth token that signs nobody in, for whoever writes an app.
enum WebTokenFault {
    /// - Parameter apiToken: the row id of the request's API token.
    static func text(
        _ token: String, _ request: CredentialedRequest, apiToken: Int64, _ reader: AccountReader
    ) throws -> String {
        guard token.wholeMatch(of: #/1__1__[A-Za-z0-9+\/]{64}/#) != nil else {
            return "ckWebAuthToken is malformed: it is '1__1__' and 64 characters of base64, as it was handed out"
        }
        guard let trace = try reader.sessionTrace(token) else {
            return "ckWebAuthToken is not known: it was revoked, expired more than a day ago, or is of another server"
        }
        if trace.hasExpired { return "ckWebAuthToken has expired; sign in again" }
        if trace.container != request.container {
            return "ckWebAuthToken is of another container, '\(trace.container)'"
        }
        if trace.environment != request.environment {
            return "ckWebAuthToken is of another environment, \(trace.environment.rawValue)"
        }
        if trace.isDisabled { return "the user of ckWebAuthToken is disabled" }
        if let known = trace.apiToken, known != apiToken { return "ckWebAuthToken goes with another API token" }
        return "ckWebAuthToken is not good for this request"
    }
}
