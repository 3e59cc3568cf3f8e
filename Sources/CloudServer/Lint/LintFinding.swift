package import CloudModel

/// A mistake of a client, with the number of times it happened.
package struct LintFinding: Sendable {
    package let rule: LintRule
    /// A sentence about the client's mistake.
    package let text: String
    package let container: String
    /// The user record name of the client; nil where nobody is signed in.
    package let user: String?
    /// The name that the client gives itself.
    package let clientID: String?
    /// The id of the first request that did so, for `cumulus why`; nil where no request did.
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
