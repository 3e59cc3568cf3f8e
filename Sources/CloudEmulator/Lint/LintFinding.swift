package import CloudModel

/// A mistake of a client, with the number of times it happened.
package struct LintFinding: Sendable {
    package let rule: LintRule
    /// A sentence about the client's mistake.
    package let text: String
    package let container: String
    /// The client's user record name; nil without a signed-in user.
    package let user: String?
    /// The `clientId` of the client.
    package let clientID: String?
    /// The id of the first request with the mistake, for `cumulus why`; nil for mistakes outside requests.
    package let request: String?
    package internal(set) var count = 1

    package func write(to json: inout JSONWriter) {
        json.object {
            $0.member("rule", rule.rawValue)
            $0.member("text", text)
            $0.member("advice", rule.advice)
            $0.member("container", container)
            $0.member("user", user)
            $0.member("clientId", clientID)
            $0.member("request", request)
            $0.member("count", Int64(count))
        }
    }
}
