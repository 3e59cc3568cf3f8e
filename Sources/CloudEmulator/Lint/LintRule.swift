/// A client habit that works on a test server but fails on a busy server or in production.
package enum LintRule: String, CaseIterable, Sendable {
    /// Retried before the server's `retryAfter` had passed.
    case retryAfter
    /// Stopped reading while `moreComing` was true.
    case moreComing
    /// Read a feed from the beginning despite having a sync token.
    case syncToken
    /// Overwrote a known record without its change tag.
    case recordChangeTag
    /// Closed several polls in a row before their answers.
    case poll
    /// Received notifications of its own changes.
    case clientId
    /// Requested an operation that production refuses.
    case production

    /// Advice to the developer of the client.
    package var advice: String {
        switch self {
        case .retryAfter: "wait as many seconds as retryAfter says before the next request"
        case .moreComing: "read on with the new sync token until moreComing is false"
        case .syncToken: "keep the sync token once everything before it is stored, and send it with the next read"
        case .recordChangeTag: "send the recordChangeTag that was read, so that a conflict is found"
        case .poll: "leave a poll open until it is answered"
        case .clientId: "send the same clientId with tokens/create and with each save"
        case .production: "mark in the schema what is asked for, and deploy it"
        }
    }
}
