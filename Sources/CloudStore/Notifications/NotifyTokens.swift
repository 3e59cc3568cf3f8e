/// Receives the push tokens that got messages, by row in the accounts file, and the message of each token that has no other
/// queued. Called on the writer's queue, after the answers of the commit's requests.
package typealias NotifyTokens = @Sendable (Set<Int64>, _ alone: [Int64: QueuedNotification]) -> Void

/// Filters push tokens to those whose polls wait at this server. Called on the writer's queue.
package typealias AwaitedTokens = @Sendable (_ among: [Int64]) -> Set<Int64>

/// Receives the messages that a commit has queued. Called on the writer's queue.
package typealias LogMessages = @Sendable ([LoggedNotification]) -> Void
